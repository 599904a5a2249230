// Floats and structures: matrices are multiplied, bodies attract each other.
#include <stdio.h>

enum { N = 60 };
static double a[N][N], b[N][N], c[N][N];

struct body {
    double x, y, vx, vy, mass;
};

static void step(struct body *bodies, int count, double dt) {
    for (int i = 0; i < count; i++)
        for (int j = 0; j < count; j++) {
            double dx = bodies[j].x - bodies[i].x, dy = bodies[j].y - bodies[i].y;
            double d2 = dx * dx + dy * dy + 0.01;
            bodies[i].vx += dt * bodies[j].mass * dx / d2;
            bodies[i].vy += dt * bodies[j].mass * dy / d2;
        }
    for (int i = 0; i < count; i++) {
        bodies[i].x += dt * bodies[i].vx;
        bodies[i].y += dt * bodies[i].vy;
    }
}

int main(void) {
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            a[i][j] = i + j / 2.0;
            b[i][j] = i - j / 3.0;
        }
    for (int round = 0; round < 4; round++)
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++) {
                double sum = 0;
                for (int k = 0; k < N; k++) sum += a[i][k] * b[k][j];
                c[i][j] = sum;
            }
    struct body bodies[8];
    for (int i = 0; i < 8; i++) bodies[i] = (struct body){i, i * i % 5, 0, 0, 1 + i % 3};
    for (int i = 0; i < 800; i++) step(bodies, 8, 0.001);
    printf("%.6f %.6f\n", c[7][9], bodies[3].x);
    return 0;
}

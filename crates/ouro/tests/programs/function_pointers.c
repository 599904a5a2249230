// Function pointers: tables, parameters, results, in structures, compared, called in every way.
#include <stdio.h>

static int add(int a, int b) { return a + b; }
static int subtract(int a, int b) { return a - b; }
static int multiply(int a, int b) { return a * b; }
typedef int (*operation)(int, int);

static operation const table[] = {add, subtract, multiply};
struct named {
    const char *name;
    operation run;
};
static struct named all[] = {{"add", add}, {"subtract", &subtract}, {"multiply", *multiply}};

static operation pick(char c) {
    switch (c) {
    case '+': return add;
    case '-': return subtract;
    default: return multiply;
    }
}

static int fold(operation f, int start, const int *values, int count) {
    for (int i = 0; i < count; i++) start = f(start, values[i]);
    return start;
}

static void quiet(void) { printf("quiet\n"); }
static double real(double x, float y) { return x * y; }
static int (*curried(int which))(int, int) { return table[which]; }

int main(void) {
    int values[] = {3, 5, 7};
    for (int i = 0; i < 3; i++) printf("%d %s\n", all[i].run(10, 4), all[i].name);
    printf("%d %d\n", fold(add, 0, values, 3), fold(pick('*'), 1, values, 3));
    printf("%d %d\n", pick('-') == subtract, pick('+') != multiply);
    printf("%d %d %d\n", (*table[1])(8, 2), (**table[2])(8, 2), curried(0)(8, 2));
    void (*f)(void) = quiet;
    f();
    (*f)();
    double (*r)(double, float) = real;
    printf("%g\n", r(1.5, 2));
    operation local[2] = {multiply, NULL};
    printf("%d\n", local[1] ? 1 : local[0](6, 7));
    int (*(*nested)(int))(int, int) = curried;
    printf("%d\n", nested(1)(1, 2));
    return all[2].run(3, 14);
}

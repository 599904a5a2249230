// Endless for an odd floor: the express cabin moves two floors at a time and swings around its target.
#include <stdio.h>

extern int __VERIFIER_nondet_int(void);

enum dir { UP, DOWN, STOP };

static enum dir direction(int now, int target)
{
    if (now < target)
        return UP;
    return now > target ? DOWN : STOP;
}

static void ride(int target)
{
    int floor = 0;
    enum dir d;
    while ((d = direction(floor, target)) != STOP) {
        switch (d) {
        case UP: floor += 2; break;
        case DOWN: floor -= 2; break;
        case STOP: break;
        }
    }
    printf("here: %d\n", floor);
}

int main(void)
{
    int t = __VERIFIER_nondet_int();
    if (t < 0 || t > 40)
        return 1;
    ride(t);
    return 0;
}

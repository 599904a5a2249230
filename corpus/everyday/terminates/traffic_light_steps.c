// Ends: the light is stepped a fixed number of times whatever the state does.
#include <stdio.h>

extern int __VERIFIER_nondet_int(void);

enum light { RED, RED_AMBER, GREEN, AMBER };

static enum light next(enum light l, int pedestrian)
{
    switch (l) {
    case RED:
        return pedestrian ? RED : RED_AMBER;
    case RED_AMBER:
        return GREEN;
    case GREEN:
        return AMBER;
    case AMBER:
    default:
        return RED;
    }
}

static void simulate(int steps)
{
    static const char *names[] = { "red", "red+amber", "green", "amber" };
    enum light l = RED;
    while (steps > 0) {
        puts(names[l]);
        l = next(l, __VERIFIER_nondet_int());
        steps--;
    }
}

int main(void)
{
    int n = __VERIFIER_nondet_int();
    simulate(n < 100 ? n : 100);
    return 0;
}

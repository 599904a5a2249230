// Endless if the night switch is on: the light goes to and fro between blinking and dark and never gets green.
#include <stdio.h>

extern int __VERIFIER_nondet_int(void);

enum light { RED, GREEN, AMBER, BLINK, DARK };

static enum light next(enum light l, int night)
{
    switch (l) {
    case RED: return night ? BLINK : GREEN;
    case GREEN: return AMBER;
    case AMBER: return RED;
    case BLINK: return DARK;
    case DARK: return night ? BLINK : RED;
    }
    return RED;
}

static unsigned wait_for_green(enum light l, int night)
{
    unsigned seconds = 0;
    while (l != GREEN) {
        l = next(l, night);
        seconds++;
    }
    return seconds;
}

int main(void)
{
    int night = __VERIFIER_nondet_int() == 1;
    printf("waited %u\n", wait_for_green(AMBER, night));
    return 0;
}

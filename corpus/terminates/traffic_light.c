/* A state machine with a number of turns. */
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    enum { RED, GREEN, YELLOW } light = RED;
    int turns = __VERIFIER_nondet_int(), waited = 0;
    while (turns > 0) {
        switch (light) {
        case RED:
            light = GREEN;
            break;
        case GREEN:
            if (__VERIFIER_nondet_int())
                light = YELLOW;
            break;
        case YELLOW:
            light = RED;
            waited = 0;
            break;
        }
        waited = (waited + 1) % 5;
        turns--;
    }
    return light;
}

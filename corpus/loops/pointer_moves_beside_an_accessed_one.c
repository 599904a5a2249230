/* One pointer is read in each iteration, the other may move on and on: only when they are exchanged, a few times at
   most, is it read as well. That it runs out of addresses ends no loop. */
extern int __VERIFIER_nondet_int(void);

int main(void) {
    char text[10] = {0};
    char *read = text, *moving = text;
    int exchanges = 5;
    while (1) {
        if (*read == 'x')
            return 0;
        if (__VERIFIER_nondet_int()) {
            moving = moving + 1;
        } else {
            if (exchanges <= 0)
                return 0;
            exchanges--;
            char *other = read;
            read = moving;
            moving = other;
        }
    }
}

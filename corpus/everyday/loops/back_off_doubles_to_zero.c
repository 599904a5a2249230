// Endless if the host never answers: the delay is held in one byte and is zero after eight doublings.
#include <stdio.h>

extern int __VERIFIER_nondet_int(void);

struct host {
    int alive;
};

static int ping(const struct host *h)
{
    return h->alive;
}

static int wait_for(const struct host *h, unsigned limit_ms)
{
    unsigned char delay = 1;
    unsigned waited = 0;
    while (!ping(h)) {
        if (waited >= limit_ms)
            return 0;
        waited += delay;
        delay = (unsigned char)(delay * 2);
    }
    return 1;
}

int main(void)
{
    struct host h = { __VERIFIER_nondet_int() > 0 };
    puts(wait_for(&h, 3000) ? "alive" : "dead");
    return 0;
}

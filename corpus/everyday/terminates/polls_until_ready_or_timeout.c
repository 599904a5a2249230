// Ends: the ticks are counted by hand and the poll gives up after the timeout.
#include <stdio.h>

extern unsigned int __VERIFIER_nondet_uint(void);

#define READY 0x80u
#define FAULT 0x01u

struct device {
    unsigned status;
};

static void tick(struct device *d)
{
    d->status = __VERIFIER_nondet_uint();
}

static int wait_ready(struct device *d, int timeout)
{
    do {
        tick(d);
        if (d->status & FAULT)
            return -1;
        if (d->status & READY)
            return 0;
    } while (timeout-- > 0);
    return -2;
}

int main(void)
{
    struct device d = {0};
    int rc = wait_ready(&d, (int)(__VERIFIER_nondet_uint() % 1000));
    printf("%d\n", rc);
    return 0;
}

// Endless if the device is busy: only errors use up a try, and nobody makes the device free.
#include <stdio.h>

extern int __VERIFIER_nondet_int(void);

enum result { OK, FAILED, BUSY };

struct device {
    int powered;
    int busy;
};

static enum result send(const struct device *d)
{
    if (d->busy)
        return BUSY;
    return d->powered ? OK : FAILED;
}

static int send_with_retry(const struct device *d)
{
    int tries = 3;
    while (tries > 0) {
        switch (send(d)) {
        case OK:
            return 1;
        case FAILED:
            tries--;
            break;
        case BUSY:
            continue;
        }
    }
    return 0;
}

int main(void)
{
    struct device d;
    d.powered = __VERIFIER_nondet_int() != 0;
    d.busy = __VERIFIER_nondet_int() != 0;
    puts(send_with_retry(&d) ? "sent" : "given up");
    return 0;
}

// Endless for an odd time-out while the line is silent: counting down by two passes zero and wraps around.
#include <stdio.h>

extern unsigned int __VERIFIER_nondet_uint(void);

static int line_ready(unsigned status)
{
    return (status & 0x10u) != 0;
}

static int wait_line(unsigned status, unsigned timeout)
{
    while (timeout != 0) {
        if (line_ready(status))
            return 1;
        timeout -= 2;
    }
    return 0;
}

int main(void)
{
    unsigned status = __VERIFIER_nondet_uint();
    unsigned timeout = __VERIFIER_nondet_uint() % 1000;
    printf("%d\n", wait_line(status, timeout));
    return 0;
}

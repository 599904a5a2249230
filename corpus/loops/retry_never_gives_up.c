/* The number of tries is counted and never looked at. */
#include <stdio.h>

extern int __VERIFIER_nondet_int(void);

static int send_packet(int n)
{
    return __VERIFIER_nondet_int() == n ? 0 : -1;
}

int main(void)
{
    unsigned tries = 0;
    int ok = -1;
    while (ok != 0) {
        ok = send_packet(3);
        tries++;
        if (tries > 5)
            printf("retrying\n");
    }
    return tries;
}

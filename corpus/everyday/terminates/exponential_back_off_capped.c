// Ends: the waited time grows by a positive delay each round until the deadline is passed.
#include <stdio.h>

extern int __VERIFIER_nondet_int(void);

#define FIRST_MS 10u
#define CAP_MS 640u
#define DEADLINE_MS 5000u

static unsigned next_delay(unsigned d)
{
    d *= 2;
    return d > CAP_MS ? CAP_MS : d;
}

static int send_packet(void)
{
    return __VERIFIER_nondet_int() == 1;
}

int main(void)
{
    unsigned delay = FIRST_MS, waited = 0;
    int sent = 0;
    while (!sent && waited < DEADLINE_MS) {
        sent = send_packet();
        if (!sent) {
            waited += delay;
            delay = next_delay(delay);
        }
    }
    printf("%s, waited %u ms\n", sent ? "sent" : "timeout", waited);
    return !sent;
}

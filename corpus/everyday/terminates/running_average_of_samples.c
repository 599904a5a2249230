// Ends: the count of samples is limited, and the comparisons of doubles only choose what is printed.
#include <stdio.h>

extern int __VERIFIER_nondet_int(void);
extern double __VERIFIER_nondet_double(void);

static double average(const double *x, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += x[i];
    return n > 0 ? sum / n : 0.0;
}

int main(void)
{
    double samples[16];
    int n = __VERIFIER_nondet_int();
    int above = 0, below = 0;
    if (n < 0 || n > 16)
        n = 16;
    for (int i = 0; i < n; i++)
        samples[i] = __VERIFIER_nondet_double();
    double avg = average(samples, n);
    int i = 0;
    while (i < n) {
        if (samples[i] > avg) {
            above++;
            i++;
        } else {
            below++;
            i += 1;
        }
    }
    printf("%d above, %d not\n", above, below);
    return 0;
}

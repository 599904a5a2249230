// Arrays and loops: the sieve of Eratosthenes, and sums over an array.
#include <stdio.h>

static unsigned char composite[200001];
static int totals[1000];

int main(void) {
    int primes = 0;
    for (int round = 0; round < 12; round++) {
        primes = 0;
        for (int i = 2; i <= 200000; i++) composite[i] = 0;
        for (int i = 2; i <= 200000; i++) {
            if (composite[i]) continue;
            primes++;
            for (long j = (long)i * i; j <= 200000; j += i) composite[j] = 1;
        }
    }
    unsigned sum = 0;
    for (int k = 0; k < 2000; k++)
        for (int i = 0; i < 1000; i++) {
            totals[i] += i;
            sum += totals[i] ^ k;
        }
    printf("%d %u\n", primes, sum);
    return 0;
}

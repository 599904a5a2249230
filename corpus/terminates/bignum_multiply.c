/* The school method on digits of nine decimals. */
#include <stdint.h>
extern uint32_t digit(void);
#define N 6
int main(void)
{
    uint32_t a[N], b[N], c[2 * N];
    for (int i = 0; i < N; i++) {
        a[i] = digit() % 1000000000;
        b[i] = digit() % 1000000000;
    }
    for (int i = 0; i < 2 * N; i++)
        c[i] = 0;
    for (int i = 0; i < N; i++) {
        uint64_t carry = 0;
        for (int j = 0; j < N; j++) {
            uint64_t t = (uint64_t)a[i] * b[j] + c[i + j] + carry;
            c[i + j] = (uint32_t)(t % 1000000000);
            carry = t / 1000000000;
        }
        c[i + N] = (uint32_t)carry;
    }
    return c[0] == 1;
}

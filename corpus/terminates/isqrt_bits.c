/* The square root bit by bit: the bit moves down by two. */
#include <stdint.h>
extern unsigned __VERIFIER_nondet_uint(void);
int main(void)
{
    uint32_t num = __VERIFIER_nondet_uint();
    uint32_t res = 0;
    uint32_t bit = 1u << 30;
    while (bit > num)
        bit >>= 2;
    while (bit != 0) {
        if (num >= res + bit) {
            num -= res + bit;
            res = (res >> 1) + bit;
        } else {
            res >>= 1;
        }
        bit >>= 2;
    }
    return res == 7;
}

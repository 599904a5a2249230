/* Adds two numbers of many digits. */
#include <stdint.h>
extern uint32_t digit(void);
int main(void)
{
    uint32_t a[8], b[8], c[9];
    uint64_t carry = 0;
    for (int i = 0; i < 8; i++) {
        a[i] = digit();
        b[i] = digit();
    }
    for (int i = 0; i < 8; i++) {
        carry += (uint64_t)a[i] + b[i];
        c[i] = (uint32_t)carry;
        carry >>= 32;
    }
    c[8] = (uint32_t)carry;
    int top = 8;
    while (top > 0 && c[top] == 0)
        top--;
    return top;
}

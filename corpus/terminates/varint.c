/* Seven bits a byte, at most ten bytes. */
#include <stdint.h>
extern uint8_t next_byte(void);
extern uint64_t number(void);
int main(void)
{
    uint8_t out[10];
    int n = 0;
    uint64_t v = number();
    while (v >= 0x80 && n < 9) {
        out[n++] = (uint8_t)(v | 0x80);
        v >>= 7;
    }
    out[n++] = (uint8_t)v;
    return out[0] + n;
}

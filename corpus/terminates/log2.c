/* The position of the highest bit. */
#include <stdint.h>
extern uint64_t read_number(void);
static int ilog2(uint64_t v)
{
    int r = 0;
    while (v >>= 1)
        r++;
    return r;
}
int main(void)
{
    return ilog2(read_number());
}

/* Every byte is at most 255. */
#include <stdint.h>
#include <stdio.h>

int main(void)
{
    uint8_t table[256], i;
    for (i = 0; i <= 255; i++)
        table[i] = i ^ 0x5a;
    printf("%d\n", table[3]);
    return 0;
}

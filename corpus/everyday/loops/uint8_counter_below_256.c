// Endless for every run: an 8-bit counter is always below 256.
#include <stdint.h>
#include <stdio.h>

static uint32_t crc_table[256];

static uint32_t entry(uint32_t c)
{
    for (int k = 0; k < 8; k++)
        c = c & 1 ? 0xedb88320u ^ (c >> 1) : c >> 1;
    return c;
}

static void make_table(int size)
{
    for (uint8_t i = 0; i < size; i++)
        crc_table[i] = entry(i);
}

int main(void)
{
    make_table(256);
    printf("%08x\n", (unsigned)crc_table[255]);
    return 0;
}

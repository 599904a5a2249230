// Ends: eight shifts for each byte up to the terminating zero.
#include <stdint.h>
#include <stdio.h>

static uint8_t crc8_byte(uint8_t crc, uint8_t byte)
{
    crc ^= byte;
    for (int bit = 8; bit > 0; --bit) {
        if (crc & 0x80)
            crc = (uint8_t)((crc << 1) ^ 0x07);
        else
            crc = (uint8_t)(crc << 1);
    }
    return crc;
}

static uint8_t crc8(const char *s)
{
    uint8_t crc = 0;
    while (*s)
        crc = crc8_byte(crc, (uint8_t)*s++);
    return crc;
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        printf("%02x\n", crc8(argv[i]));
    return 0;
}

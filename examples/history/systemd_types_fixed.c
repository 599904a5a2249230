/* The same as systemd_types.c, mended as in systemd: the step to the next bit is part of the loop. */
extern unsigned char read_byte(void);

static int is_pseudo(unsigned type) {
    return type == 0 || type == 41 || (type >= 249 && type <= 255);
}

int main(void) {
    unsigned window = read_byte(), length = read_byte(), bit = 0, found = 0;
    if (length > 32)
        return 1;
    for (unsigned i = 0; i < length; i++) {
        unsigned char bitmap = read_byte(), mask;
        if (!bitmap) {
            bit += 8;
            continue;
        }
        for (mask = 1 << 7; mask; bit++, mask >>= 1) {
            if (bitmap & mask) {
                if (is_pseudo(window << 8 | bit))
                    continue;
                found++;
            }
        }
    }
    return found > 0;
}

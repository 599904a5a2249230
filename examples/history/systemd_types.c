/* systemd-resolved before 236, dns_packet_read_type_window (CVE-2017-15908, mended in pull request 7184): the bits
 * of a byte from the network are looked at one after the other, and `continue` skips the step to the next bit
 * for types that mean nothing. Rebuilt in small, with the same mistake. */
extern unsigned char read_byte(void);

static int is_pseudo(unsigned type) {
    return type == 0 || type == 41 || (type >= 249 && type <= 255);
}

int main(void) {
    unsigned window = read_byte(), length = read_byte(), bit = 0, found = 0;
    if (length > 32)
        return 1;
    for (unsigned i = 0; i < length; i++) {
        unsigned char bitmap = read_byte(), mask = 1 << 7;
        if (!bitmap) {
            bit += 8;
            continue;
        }
        while (mask) {
            if (bitmap & mask) {
                if (is_pseudo(window << 8 | bit))
                    continue;
                found++;
            }
            bit++;
            mask >>= 1;
        }
    }
    return found > 0;
}

/* The same as tcpdump_lldp.c, mended as in tcpdump: the counter can hold every length. */
extern unsigned read_length(void);
extern void print_entry(unsigned offset);

int main(void) {
    unsigned length = read_length() & 0x1ff;
    if (length < 5)
        return 1;
    unsigned table = length - 5;
    unsigned i = 0;
    while (i < table) {
        print_entry(i);
        i = i + 3;
    }
    return 0;
}

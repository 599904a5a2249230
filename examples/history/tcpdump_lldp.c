/* tcpdump before 4.9.2, print-lldp.c (CVE-2017-12997, mended in commit 34cec721): a table in a packet is walked
 * with a counter of eight bits, but its length has nine. Rebuilt in small, with the same mistake. */
extern unsigned read_length(void);
extern void print_entry(unsigned offset);

int main(void) {
    unsigned length = read_length() & 0x1ff;
    if (length < 5)
        return 1;
    unsigned table = length - 5;
    unsigned char i = 0;
    while (i < table) {
        print_entry(i);
        i = i + 3;
    }
    return 0;
}

/* Wireshark 2.2.0 to 2.2.6, packet-dns.c (CVE-2017-9345): a name in a DNS packet can end in a pointer to the rest of it,
 * and the packet says where that is. A pointer to itself is followed forever. Rebuilt in small, with the same
 * mistake. */
#define SIZE 16
extern unsigned char read_byte(void);

int main(void) {
    unsigned char packet[SIZE];
    for (unsigned i = 0; i < SIZE; i++)
        packet[i] = read_byte();
    unsigned at = 0, letters = 0;
    while (packet[at] != 0) {
        if ((packet[at] & 0xc0) == 0xc0) {
            at = packet[at] & 0x3f;
        } else {
            letters += packet[at];
            at += 1 + packet[at];
        }
        if (at >= SIZE)
            return 1;
    }
    return letters > 255;
}

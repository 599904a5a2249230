/* The same as wireshark_dns.c, mended: a pointer has to lead to before every place where the name was until now. */
#define SIZE 16
extern unsigned char read_byte(void);

int main(void) {
    unsigned char packet[SIZE];
    for (unsigned i = 0; i < SIZE; i++)
        packet[i] = read_byte();
    unsigned at = 0, letters = 0, before = SIZE;
    while (packet[at] != 0) {
        if ((packet[at] & 0xc0) == 0xc0) {
            unsigned target = packet[at] & 0x3f;
            if (target >= before)
                return 1;
            before = target;
            at = target;
        } else {
            letters += packet[at];
            at += 1 + packet[at];
        }
        if (at >= SIZE)
            return 1;
    }
    return letters > 255;
}

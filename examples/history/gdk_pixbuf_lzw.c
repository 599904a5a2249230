/* gdk-pixbuf before 2.42.2, lzw.c (CVE-2020-29385): each code of a GIF image extends another one, and the codes
 * come from the file. A code that extends one after it makes a ring, which is followed forever. Rebuilt in small,
 * with the same mistake. */
#define ROOTS 4
#define CODES 6
extern unsigned read_code(void);

int main(void) {
    unsigned extends[CODES] = {0};
    for (unsigned code = ROOTS; code < CODES; code++) {
        extends[code] = read_code();
        if (extends[code] >= CODES)
            return 1;
    }
    unsigned code = CODES - 1, length = 1;
    while (code >= ROOTS) {
        code = extends[code];
        length++;
    }
    return length > CODES;
}

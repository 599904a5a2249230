/* The same as gdk_pixbuf_lzw.c, mended: a code can only extend one that was there before it. */
#define ROOTS 4
#define CODES 6
extern unsigned read_code(void);

int main(void) {
    unsigned extends[CODES] = {0};
    for (unsigned code = ROOTS; code < CODES; code++) {
        extends[code] = read_code();
        if (extends[code] >= code)
            return 1;
    }
    unsigned code = CODES - 1, length = 1;
    while (code >= ROOTS) {
        if (extends[code] >= code)
            return 1;
        code = extends[code];
        length++;
    }
    return length > CODES;
}

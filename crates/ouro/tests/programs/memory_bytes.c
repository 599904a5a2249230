// Bytes of objects: copies of structures with pointers, byte by byte, halves, overlapping moves.
#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct holder {
    char tag;
    int *pointer;
    int (*function)(int);
    short numbers[3];
};

static int twice(int x) { return 2 * x; }

static void *copy_bytes(void *to, const void *from, size_t n) {
    unsigned char *t = to;
    const unsigned char *f = from;
    while (n--) *t++ = *f++;
    return to;
}

static void swap(void *a, void *b, size_t n) {
    char temporary[n];
    memcpy(temporary, a, n);
    memcpy(a, b, n);
    memcpy(b, temporary, n);
}

int main(void) {
    int x = 5, y = 6;
    struct holder a = {'a', &x, twice, {1, 2, 3}}, b = {'b', &y, twice, {4, 5, 6}}, c;
    memcpy(&c, &a, sizeof c);
    ++*c.pointer;
    printf("%d %d %c\n", x, c.function(*a.pointer), c.tag);
    copy_bytes(&c, &b, sizeof c);
    --*c.pointer;
    printf("%d %d %c %d\n", y, c.function(4), c.tag, c.numbers[2]);
    swap(&a, &b, sizeof a);
    printf("%c %d %c %d\n", a.tag, *a.pointer, b.tag, *b.pointer);
    struct holder list[3] = {a, b, c};
    memmove(list, list + 1, 2 * sizeof *list);
    printf("%c%c%c %d\n", list[0].tag, list[1].tag, list[2].tag, *list[0].pointer);
    uint32_t words[3] = {0x11223344, 0x55667788, 0x99aabbcc};
    unsigned char *bytes = (unsigned char *)words;
    uint32_t middle;
    memcpy(&middle, bytes + 2, sizeof middle);
    printf("%08x\n", middle);
    memmove(bytes + 1, bytes, 8);
    printf("%08x %08x %08x\n", words[0], words[1], words[2]);
    memset(bytes + 3, 0xee, 5);
    printf("%08x %08x %08x\n", words[0], words[1], words[2]);
    *(uint16_t *)(void *)(bytes + 4) = 0x1234;
    printf("%08x\n", words[1]);
    double d = 1.5;
    uint64_t bits = 0;
    copy_bytes(&bits, &d, sizeof d);
    bits ^= 1ull << 63;
    copy_bytes(&d, &bits, sizeof d);
    printf("%g\n", d);
    int *pointers[4] = {&x, &y, &x, NULL};
    memmove(pointers + 1, pointers, 3 * sizeof *pointers);
    printf("%d %d %d\n", *pointers[0], *pointers[2], *pointers[3]);
    memset(pointers, 0, sizeof pointers);
    printf("%d\n", pointers[2] == NULL);
    return 0;
}

// Static and global initialisers: addresses, nested and designated ones, strings, zeros, constants.
#include <stddef.h>
#include <stdio.h>

struct point { int x, y; };
struct shape {
    const char *name;
    struct point corners[3];
    const struct point *centre;
    int (*area)(const struct shape *);
    struct shape *next;
    double scale;
    union { int i; char c[4]; } extra;
};

static int width(const struct shape *s) { return s->corners[1].x - s->corners[0].x; }
extern struct shape square;
static const struct point origin = {0, 0}, far = {.y = 7, .x = 1 << 10};
struct shape triangle = {"triangle", {{0, 0}, {4, 0}, {0, 3}}, &origin, width, &square, .5, {.c = "abc"}};
struct shape square = {.name = "square" + 2, .corners[1].x = 9, .next = &triangle, .centre = &far,
                       .corners[0] = {.y = -1, .x = 2}, .area = width, .extra.i = 0x41424344};
static int table[8] = {[6] = 60, 70, [1] = 10, 20};
static int *pointers[] = {&table[6], table + 1, (int *)((char *)table + 2 * sizeof(int)), NULL};
static int **indirect = &pointers[1];
static char text[] = "with\0inside", exact[4] = "four", *literal = "literal";
static const char *const words[2][2] = {{"a", "b"}, {"c"}};
static long address_difference = offsetof(struct shape, corners[2].y);
static float f = 1 / 3.0f;
static double big = 1e300 * 10;
static unsigned long long constant = ~0ull / 3;
static _Bool yes = 5;
static wchar_t wide[] = L"wide";
static int zeros[1000];
enum { A = 5, B, C = A * B };
static int from_enum = C << 2;

static int next(void) {
    static int counter = 10;
    static struct point last = {1, 2};
    last.x += counter++;
    return last.x;
}

int main(void) {
    for (struct shape *s = &triangle; s; s = s->next == &triangle ? NULL : s->next)
        printf("%s %d %d %g %x %d\n", s->name, s->area(s), s->centre->y, s->scale, s->extra.i, s->corners[2].y);
    for (int i = 0; i < 8; i++) printf("%d ", table[i]);
    printf("\n%d %d %d %d %d\n", *pointers[0], *pointers[1], *pointers[2], !pointers[3], **indirect);
    printf("%zu %c %.4s %s %s %d\n", sizeof text, text[5], exact, literal, words[0][1], words[1][1] == NULL);
    printf("%ld %.9g %g %llu %d %d\n", address_difference - (long)offsetof(struct shape, corners), f, big,
           constant, yes, from_enum);
    printf("%d %d %d %d\n", wide[3], (int)(sizeof wide / sizeof *wide), zeros[999], next());
    printf("%d\n", next());
    return 0;
}

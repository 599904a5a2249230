// Structures by value: every way in which they fit into registers, or do not.
#include <stdio.h>

struct s1 { char a; };
struct s3 { char a[3]; };
struct s7 { char a[7]; };
struct s8 { int a; float b; };
struct s12 { int a, b, c; };
struct s16 { double a; long long b; };
struct sf { float a, b, c; };
struct sd { double a; float b; };
struct smix { char a; double b; };
struct s24 { long a[3]; };
struct s40 { int a; double b; char c[20]; };
struct nested { struct s8 x; struct { struct s1 y; short z; } w; };
union u { int i; float f; char c[12]; };
struct empty { int none[0]; };

#define PASS(type, change) \
    static struct type pass_##type(int before, struct type s, double after) { \
        if (before != 1 || after != 2.5) printf("lost\n"); \
        change; \
        return s; \
    }

PASS(s1, s.a++)
PASS(s3, s.a[2] += s.a[0])
PASS(s7, s.a[6] = s.a[1])
PASS(s8, s.a += 10; s.b *= 2)
PASS(s12, s.c = s.a + s.b)
PASS(s16, s.a += s.b)
PASS(sf, s.c = s.a * s.b)
PASS(sd, s.a -= s.b)
PASS(smix, s.b += s.a)
PASS(s24, s.a[2] = s.a[0] - s.a[1])
PASS(s40, s.b /= s.a; s.c[19] = 'x')
PASS(nested, s.w.z += s.x.a; s.w.y.a = 'q')
PASS(empty, (void)s)

static union u pass_u(union u u) {
    u.i++;
    return u;
}

static int many(struct s16 a, struct s16 b, struct s12 c, struct s40 d, struct s8 e, struct s1 f) {
    return (int)(a.b + b.b + c.c + d.c[0] + e.a + f.a);
}

int main(void) {
    printf("%c\n", pass_s1(1, (struct s1){'a'}, 2.5).a);
    printf("%d\n", pass_s3(1, (struct s3){{1, 2, 3}}, 2.5).a[2]);
    printf("%d\n", pass_s7(1, (struct s7){{1, 2, 3, 4, 5, 6, 7}}, 2.5).a[6]);
    struct s8 s8 = pass_s8(1, (struct s8){5, 1.5f}, 2.5);
    printf("%d %g\n", s8.a, s8.b);
    printf("%d\n", pass_s12(1, (struct s12){3, 4, 5}, 2.5).c);
    printf("%g\n", pass_s16(1, (struct s16){0.5, -3}, 2.5).a);
    printf("%g\n", pass_sf(1, (struct sf){3, 7, 0}, 2.5).c);
    printf("%g\n", pass_sd(1, (struct sd){3, 7}, 2.5).a);
    printf("%g\n", pass_smix(1, (struct smix){3, 7}, 2.5).b);
    printf("%ld\n", pass_s24(1, (struct s24){{10, 20, 30}}, 2.5).a[2]);
    struct s40 s40 = pass_s40(1, (struct s40){4, 10, "text"}, 2.5);
    printf("%g %c %s\n", s40.b, s40.c[19], s40.c);
    struct nested n = pass_nested(1, (struct nested){{1, 2}, {{'p'}, 100}}, 2.5);
    printf("%d %c\n", n.w.z, n.w.y.a);
    pass_empty(1, (struct empty){}, 2.5);
    printf("%d\n", pass_u((union u){.i = 41}).i);
    printf("%d\n", many((struct s16){1, 2}, (struct s16){3, 4}, (struct s12){5, 6, 7}, s40, s8,
                        (struct s1){1}));
    struct s40 copy = s40, array[2] = {copy, copy};
    array[1].c[0] = 'T';
    copy = array[1];
    printf("%s %s\n", copy.c, array[0].c);
    struct s40 *p = &array[0];
    *p = *p;
    p[0] = p[1];
    printf("%s\n", array[0].c);
    return 0;
}

// Structures by value in every way the calling conventions know, layouts, bit-fields, unions.
#include <stdio.h>
#include <string.h>

struct pair { int x, y; };
struct mixed { double a; long b; };
struct large { char text[20]; int number; };
struct floats { float a, b, c; };
struct wide { long double l; char c; long long q; double d; };
struct __attribute__((packed)) packed { char a; int b; short c; double d; };
struct bits { unsigned a : 3; int b : 5; unsigned long long c : 40; int : 0; signed d : 7; };
union overlay { int i; float f; char c[8]; long long l; };

static struct pair make_pair(int x, int y) { struct pair p = {x, y}; return p; }
static struct mixed make_mixed(double a, long b) { struct mixed m = {a, b}; return m; }
static struct floats make_floats(float a) { struct floats f = {a, a * 2, a * 3}; return f; }
static struct wide make_wide(void) { struct wide w = {1.5L, 'c', -7, 2.25}; return w; }

static struct large make_large(int n) {
  struct large r;
  memset(&r, 'a' + n, sizeof r);
  r.number = n;
  r.text[19] = 0;
  return r;
}

static int change(struct large r) {
  r.text[0] = 'Z';
  r.number++;
  return r.number + r.text[1];
}

static double sum(struct floats f, struct pair p, struct mixed m) {
  return f.a + f.b + f.c + p.x + p.y + m.a + m.b;
}

int main(void) {
  struct pair p = make_pair(3, -4);
  struct mixed m = make_mixed(2.5, 7);
  struct large r = make_large(2);
  struct floats f = make_floats(1.25f);
  struct wide w = make_wide();
  printf("%d %d %f %ld %s %d %f %f\n", p.x, p.y, m.a, m.b, r.text, r.number, f.b, f.c);
  printf("%d %s %f\n", change(r), r.text, sum(f, p, m));
  printf("%d %d %d %d\n", (int)sizeof(struct wide), (int)sizeof(struct packed),
         (int)sizeof(struct bits), (int)sizeof(union overlay));
  printf("%d %d\n", (int)__builtin_offsetof(struct wide, q), (int)__builtin_offsetof(struct wide, d));
  printf("%d %c %d\n", (int)(w.l * 2), w.c, (int)w.q);

  struct bits b = {0};
  b.a = 9;
  b.b = -3;
  b.c = 0xFFFFFFFFFFULL;
  b.c += 2;
  b.d = -64;
  printf("%u %d %llu %d\n", b.a, b.b, (unsigned long long)b.c, b.d);

  union overlay u;
  u.l = 0;
  u.f = 1.0f;
  printf("%d %d\n", u.i, u.c[3]);

  struct packed k = {1, 0x01020304, 5, 6.5};
  char *c = (char *)&k;
  printf("%d %d %d\n", c[1], c[4], c[5]);

  struct large array[3];
  array[1] = r;
  array[2] = array[1];
  array[2] = array[2];
  printf("%s\n", array[2].text);
  struct large named[2] = {[1] = {.number = 5, .text = "hi"}};
  printf("%d %s %d\n", named[1].number, named[1].text, named[0].number);
  return p.x;
}

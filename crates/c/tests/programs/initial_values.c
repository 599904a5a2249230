// Objects that live as long as the program, and what they start with.
#include <stdio.h>

int one = 5, none;
static int sparse[10] = {[3] = 7, [7] = -1};
const char *names[] = {"abc", "de", 0};
struct node { int value; struct node *next; };
struct node third = {3, 0}, second = {2, &third}, first = {1, &second};
int *inside = &sparse[3];
char *middle = "hello" + 2;
int increment(int x) { return x + 1; }
int decrement(int x) { return x - 1; }
int (*functions[])(int) = {increment, decrement};
long address = (long)&sparse[2];
double doubles[2] = {1.5, -0.0};
float single = 3.25f;
long double extended = 1.1L;
__attribute__((aligned(32))) char aligned[3] = "ab";
struct { char c; long long x; short s[2]; } padded = {'x', -5, {1, 2}};
extern int other_name __attribute__((alias("one")));
int other_function(int) __attribute__((alias("increment")));
long distance = (char *)&sparse[5] - (char *)&sparse[1];
union { int number; char bytes[4]; } both = {0x41424344};
unsigned char far_apart[] = {1, [23] = 2};

static int count(void) {
  static int up;
  static int down = 10;
  return up++ + 2 * down--;
}

int main(void) {
  static const int fixed[4] = {1, 2, 3, 4};
  int local[4] = {1, 2, 3, 4};
  int mostly_zero[50] = {1};
  char text[] = "stack";
  printf("%d %d %d %d %s %s %d\n", one, none, sparse[3], sparse[7], names[0], names[1], !names[2]);
  for (struct node *node = &first; node; node = node->next) printf("%d ", node->value);
  printf("%d %s %d %d %d\n", *inside, middle, functions[0](1), functions[1](1),
         address == (long)&sparse[2]);
  printf("%f %f %f %d %s %lld %d\n", doubles[0], doubles[1], single, (int)(extended * 10), aligned,
         padded.x, padded.s[1]);
  other_name++;
  printf("%d %d %ld %c %d\n", one, other_function(4), distance, both.bytes[0], far_apart[23]);
  count();
  count();
  printf("%d %d %d %d %s\n", count(), fixed[2], local[3], mostly_zero[0] + mostly_zero[49], text);
  return 0;
}

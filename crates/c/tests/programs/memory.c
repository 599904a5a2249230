// Atomic operations, vectors, copies, and assembly that does nothing.
#include <complex.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

atomic_int x = 5;
int y = 3;
_Atomic long z;
typedef int four __attribute__((vector_size(16)));

static int barrier(int a) {
  asm volatile("" ::: "memory");
  asm("" : "+r"(a));
  return a;
}

int main(void) {
  int expected = 8;
  printf("%d ", atomic_fetch_add(&x, 3));
  printf("%d ", atomic_compare_exchange_strong(&x, &expected, 20));
  printf("%d\n", x);
  expected = 1;
  printf("%d ", atomic_compare_exchange_strong(&x, &expected, 30));
  printf("%d ", expected);
  printf("%d ", __sync_fetch_and_or(&y, 12));
  printf("%d ", __sync_lock_test_and_set(&y, 1));
  printf("%d ", __atomic_fetch_nand(&y, 3, 5));
  printf("%d ", __sync_fetch_and_max(&y, 4));
  printf("%d ", __sync_fetch_and_umin(&y, 2));
  z |= 6;
  z ^= 2;
  printf("%d %ld\n", y, (long)z);

  four a = {1, 2, 3, 4}, b = {10, 20, 30, 40};
  four c = a + b * a, mask = a > 2;
  printf("%d %d %d %d\n", c[0], c[3], mask[0], mask[3]);
  c = __builtin_shufflevector(a, b, 0, 5, 2, 7);
  a[2] = 99;
  printf("%d %d %d\n", c[1], c[3], a[2]);

  char text[20];
  memcpy(text, "hello world", 12);
  memmove(text + 2, text, 6);
  printf("%s %d\n", text, (int)strlen(text));
  memset(text, 'x', 3);
  printf("%s %d %d\n", text, memcmp("ab", "ac", 2) < 0, strcmp("b", "a") > 0);

  double complex w = 1 + 2 * I;
  w = w + 3;
  printf("%d %f %f\n", barrier(7), creal(w), cimag(w));
  return 0;
}

// Each iteration takes y away from x: with a negative y, x only grows.
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int x = __VERIFIER_nondet_int();
  int y = __VERIFIER_nondet_int();
  if (y == 0) return 0;
  while (x >= 0) x = x - y;
  return 0;
}

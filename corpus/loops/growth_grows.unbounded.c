// x may shrink for a while, but y grows, and then x does.
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int x = __VERIFIER_nondet_int();
  int y = __VERIFIER_nondet_int();
  while (x >= 0) {
    x += y;
    y += 1;
  }
  return 0;
}

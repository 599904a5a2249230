// One iteration leaves no simple set of states; two iterations together do.
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int x = __VERIFIER_nondet_int();
  int y = 0;
  while (x >= 0) {
    x = x + y;
    y = 1 - y;
  }
  return 0;
}

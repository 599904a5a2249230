// Whatever j is, the second iteration is the last: no choice keeps the run in the loop.
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int i = 10;
  while (i == 10) {
    int j = __VERIFIER_nondet_int();
    if (j > 3) i = 9; else i = 11;
  }
  return 0;
}

// No cycle can be taken twice in a row: the inner loop takes one iteration more each time.
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int k = __VERIFIER_nondet_int();
  while (k >= 0) {
    k = k + 1;
    int j = k;
    while (j >= 1) j = j - 1;
  }
  return 0;
}

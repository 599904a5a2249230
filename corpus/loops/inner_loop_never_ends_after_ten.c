// The outer loop counts down; when it is at zero, the inner one never ends.
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int i = __VERIFIER_nondet_int();
  if (i == 10) {
    while (i > 0) {
      i = i - 1;
      while (i == 0) { }
    }
  }
  return 0;
}

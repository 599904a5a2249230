extern int __VERIFIER_nondet_int(void);
int main(void) {
  int n = __VERIFIER_nondet_int();
  double x = n;
  while (x != n) {}
  return 0;
}

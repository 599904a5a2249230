// The loop ends if the step is positive, which its caller does not see to.
extern int __VERIFIER_nondet_int(void);

static int walk(int n, int step) {
  int i = 0;
  while (i < n)
    i += step;
  return i;
}

int main(void) {
  return walk(10, __VERIFIER_nondet_int() ? 1 : 0);
}

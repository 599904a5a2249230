// Inputs that differ in every iteration, and a sum that never comes back.
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int sum = 1;
  while (sum > 0) {
    int more = __VERIFIER_nondet_int();
    if (more < 1) break;
    sum += more;
  }
  return 0;
}

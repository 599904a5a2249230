// Endless for a k that is not negative and an i that is not, if the choices are not negative either.
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int k = __VERIFIER_nondet_int();
  int i = __VERIFIER_nondet_int();
  if (k < 0) i = -1;
  while (i >= 0) i = __VERIFIER_nondet_int();
  i = 2;
  return i;
}

// A loop that ends stands before the one that does not.
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int y = __VERIFIER_nondet_int();
  for (int x = 0; x < 100; x++) { }
  while (y > 0) y++;
  return 0;
}

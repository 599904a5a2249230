// The inner loop ends each time, after ever more iterations.
extern unsigned __VERIFIER_nondet_uint(void);
void skip(unsigned n) { while (n > 0) n--; }
int main(void) {
  unsigned n = __VERIFIER_nondet_uint();
  unsigned k = 0;
  for (;;) { skip(n); n++; k += n; if (k == 1 && n == 7) k = 0; }
}

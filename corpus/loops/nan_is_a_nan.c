/* Whatever its sign: it differs from itself, and so does what is computed from it. */
int main(void) {
  volatile double zero = 0;
  double nan = zero / zero;
  double more = nan * 2 + 1;
  while (nan != nan && more != more && !(nan < 1) && !(more >= 1)) {}
  return 0;
}

/* Adding to a NaN gives one. */
int main(void) {
  volatile double zero = 0;
  double x = zero / zero;
  while (x != 1)
    x = x + 1;
  return 0;
}

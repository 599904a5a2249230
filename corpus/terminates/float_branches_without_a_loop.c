// Nothing goes round, so it does not matter which of the branches can be taken.
extern double __VERIFIER_nondet_double(void);
extern double sin(double);

int main(void) {
  double x = __VERIFIER_nondet_double(), y = __VERIFIER_nondet_double();
  double z = x * y / (x - y) + sin(x * x);
  if (z * z * z - x / y > y * x * z && sin(z) * z < x * y * 0.333) {
    if (z * x + y / z == x * x / 3.0)
      return 1;
    double w = z / (x * x + y * y);
    if (w * w * w + x * w == 7.3)
      return 2;
    return w > z * x ? 3 : 4;
  }
  return 0;
}

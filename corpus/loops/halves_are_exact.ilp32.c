/* Nothing is rounded, so registers of any precision agree. */
int main(void) {
  double x = 1;
  while (x / 2 + x / 2 == 1) x = (x + 1) / 2;
  return 0;
}

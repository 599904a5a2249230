/* Small whole numbers are exact. */
int main(void) {
  float i = 0;
  while (i < 20) i += 1;
  return 0;
}

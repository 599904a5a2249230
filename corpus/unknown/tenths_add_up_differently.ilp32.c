/* With x87 registers 0.1 + 0.2 == 0.3 or not, depending on what was stored: gcc -m32 hangs at -O2. */
int main(void) {
  volatile double a = 0.1, b = 0.2, c = 0.3;
  if (a + b != c)
    for (;;) {}
  return 0;
}

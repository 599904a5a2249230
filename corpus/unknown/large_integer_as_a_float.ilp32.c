/* 2^24 + 1 is no float, but the register holds it. */
int main(void) {
  volatile int n = 16777217;
  if ((float)n != n)
    for (;;) {}
  return 0;
}

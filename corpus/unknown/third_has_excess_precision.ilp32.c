/* The quotient is in a register, the variable is rounded: gcc -m32 says that they differ. */
int main(void) {
  volatile double one = 1, three = 3;
  volatile double third = one / three;
  if (third == one / three)
    for (;;) {}
  return 0;
}

// Undefined in C++, so no such run counts: clang traps at -O0, gcc returns any value.
int sign(int x) {
  if (x > 0)
    return 1;
}
int main(int argc, char **argv) {
  sign(-argc);
  for (;;) {
  }
}

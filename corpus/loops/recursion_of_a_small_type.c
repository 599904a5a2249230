// The recursion never returns. The first thing that it does, taking a parameter of three bits, has no line of its own.
extern unsigned __VERIFIER_nondet_uint(void);

unsigned descend(unsigned _BitInt(3) depth, unsigned other) {
  other = descend(depth >> 2, 4) & 7;
  return other;
}

int main(void) {
  return (int)descend(__VERIFIER_nondet_uint() & 1, 0);
}

// A state machine with many states, which runs for so many steps; the small loops in it end by themselves.
extern int __VERIFIER_nondet_int(void);

static int state, a, b, c, d;

static void step(int in) {
  switch (state) {
  case 0:
    if (in > a) {
      state = 1;
      b = in;
    } else
      a = in ^ b;
    break;
  case 1:
    if ((in & b) > c) {
      state = 2;
      c ^= in;
    } else if (d & in)
      state = 3;
    break;
  case 2:
    for (int i = 0; i < in; i++)
      d ^= i;
    state = in & 1 ? 0 : 4;
    break;
  case 3: {
    unsigned k = (unsigned)in;
    while (k > 3) {
      k /= 3;
      a ^= (int)k;
    }
    state = 1;
    break;
  }
  case 4:
    state = a == b && b == c ? 5 : 0;
    break;
  default:
    state = in & 3;
  }
}

int main(void) {
  int n = __VERIFIER_nondet_int();
  for (int t = 0; t < n; t++) {
    step(__VERIFIER_nondet_int());
    if (d == 77)
      for (int q = 10; q > 0; q--)
        c ^= q;
  }
  return 0;
}

// Twenty-five loops one after the other, each of which ends whatever the others did: no path through all of them has
// to be followed.
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int sum = 0;
  {
    int n = __VERIFIER_nondet_int();
    for (int i = 0; i < n; i++)
    sum ^= i;
    sum += n & 1;
  }
  {
    int n = __VERIFIER_nondet_int();
    while (n > 0)
    n /= 2;
    sum += n & 1;
  }
  {
    int n = __VERIFIER_nondet_int();
    for (int i = n; i > 10; i -= 3)
    sum ^= i;
    sum += n & 1;
  }
  {
    int n = __VERIFIER_nondet_int();
    for (unsigned i = 1; i != 0; i <<= 1)
    sum ^= (int)i;
    sum += n & 1;
  }
  {
    int n = __VERIFIER_nondet_int();
    while (n < 100)
    n += 7;
    sum += n & 1;
  }
  {
    int n = __VERIFIER_nondet_int();
    for (int i = 0; i < n; i++)
    sum ^= i;
    sum += n & 1;
  }
  {
    int n = __VERIFIER_nondet_int();
    while (n > 0)
    n /= 2;
    sum += n & 1;
  }
  {
    int n = __VERIFIER_nondet_int();
    for (int i = n; i > 10; i -= 3)
    sum ^= i;
    sum += n & 1;
  }
  {
    int n = __VERIFIER_nondet_int();
    for (unsigned i = 1; i != 0; i <<= 1)
    sum ^= (int)i;
    sum += n & 1;
  }
  {
    int n = __VERIFIER_nondet_int();
    while (n < 100)
    n += 7;
    sum += n & 1;
  }
  {
    int n = __VERIFIER_nondet_int();
    for (int i = 0; i < n; i++)
    sum ^= i;
    sum += n & 1;
  }
  {
    int n = __VERIFIER_nondet_int();
    while (n > 0)
    n /= 2;
    sum += n & 1;
  }
  {
    int n = __VERIFIER_nondet_int();
    for (int i = n; i > 10; i -= 3)
    sum ^= i;
    sum += n & 1;
  }
  {
    int n = __VERIFIER_nondet_int();
    for (unsigned i = 1; i != 0; i <<= 1)
    sum ^= (int)i;
    sum += n & 1;
  }
  {
    int n = __VERIFIER_nondet_int();
    while (n < 100)
    n += 7;
    sum += n & 1;
  }
  {
    int n = __VERIFIER_nondet_int();
    for (int i = 0; i < n; i++)
    sum ^= i;
    sum += n & 1;
  }
  {
    int n = __VERIFIER_nondet_int();
    while (n > 0)
    n /= 2;
    sum += n & 1;
  }
  {
    int n = __VERIFIER_nondet_int();
    for (int i = n; i > 10; i -= 3)
    sum ^= i;
    sum += n & 1;
  }
  {
    int n = __VERIFIER_nondet_int();
    for (unsigned i = 1; i != 0; i <<= 1)
    sum ^= (int)i;
    sum += n & 1;
  }
  {
    int n = __VERIFIER_nondet_int();
    while (n < 100)
    n += 7;
    sum += n & 1;
  }
  {
    int n = __VERIFIER_nondet_int();
    for (int i = 0; i < n; i++)
    sum ^= i;
    sum += n & 1;
  }
  {
    int n = __VERIFIER_nondet_int();
    while (n > 0)
    n /= 2;
    sum += n & 1;
  }
  {
    int n = __VERIFIER_nondet_int();
    for (int i = n; i > 10; i -= 3)
    sum ^= i;
    sum += n & 1;
  }
  {
    int n = __VERIFIER_nondet_int();
    for (unsigned i = 1; i != 0; i <<= 1)
    sum ^= (int)i;
    sum += n & 1;
  }
  {
    int n = __VERIFIER_nondet_int();
    while (n < 100)
    n += 7;
    sum += n & 1;
  }
  return sum;
}

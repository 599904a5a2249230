// Each function has loops that end whatever the caller passes, and writes where others look.
extern int __VERIFIER_nondet_int(void);

static int table[64];

static void fill(int n) {
  for (int i = 0; i < n; i++)
    table[i & 63] = i;
}

static int total(int n) {
  int sum = 0;
  for (int i = n; i > 0; i--)
    sum ^= table[i & 63];
  return sum;
}

static unsigned ones(unsigned x) {
  unsigned count = 0;
  while (x) {
    x &= x - 1;
    count++;
  }
  return count;
}

static void sort(int *a, int n) {
  for (int i = 0; i < n; i++)
    for (int j = i + 1; j < n; j++)
      if (a[j] < a[i]) {
        int t = a[i];
        a[i] = a[j];
        a[j] = t;
      }
}

int main(void) {
  int n = __VERIFIER_nondet_int();
  fill(n);
  sort(table, 64);
  return total(n) + (int)ones((unsigned)n);
}

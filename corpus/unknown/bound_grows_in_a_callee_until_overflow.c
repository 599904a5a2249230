// Only that n overflows ends it, and that happens in another function.
static int n;

static void grow(void) {
  n++;
}

int main(void) {
  int i = 0;
  n = 1;
  while (i < n) {
    i++;
    grow();
  }
  return 0;
}

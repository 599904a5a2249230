// The upper half starts at the middle and not behind it: of two elements it is both again.
static void sort(int *a, int lo, int hi) {
  if (lo >= hi)
    return;
  int mid = (lo + hi) / 2;
  sort(a, lo, mid);
  sort(a, mid, hi);
}
int main(void) {
  int a[10] = {0};
  sort(a, 0, 9);
  return a[0];
}

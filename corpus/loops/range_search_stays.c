// With two elements left the middle is the lower one, and the search goes on in both.
static int find(const int *a, int lo, int hi, int x) {
  if (lo > hi)
    return -1;
  int mid = lo + (hi - lo) / 2;
  if (a[mid] == x)
    return mid;
  return a[mid] < x ? find(a, mid, hi, x) : find(a, lo, mid - 1, x);
}
int main(void) {
  static const int a[4] = {1, 3, 5, 7};
  return find(a, 0, 3, 6);
}

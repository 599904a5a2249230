// Halves of two or more elements are smaller than the whole, on a command line of any length.
#include <stdio.h>
#include <stdlib.h>
static void merge(int *a, int *t, int lo, int mid, int hi) {
  int i = lo, j = mid + 1, k = lo;
  while (i <= mid && j <= hi) if (a[i] <= a[j]) t[k++] = a[i++]; else t[k++] = a[j++];
  while (i <= mid) t[k++] = a[i++];
  while (j <= hi) t[k++] = a[j++];
  for (k = lo; k <= hi; k++) a[k] = t[k];
}
static void msort(int *a, int *t, int lo, int hi) {
  if (lo >= hi) return;
  int mid = lo + (hi - lo) / 2;
  msort(a, t, lo, mid); msort(a, t, mid + 1, hi); merge(a, t, lo, mid, hi);
}
int main(int argc, char **argv) {
  int n = argc - 1;
  int *a = malloc(sizeof *a * (n + 1)), *t = malloc(sizeof *t * (n + 1));
  if (!a || !t) return 1;
  for (int i = 0; i < n; i++) a[i] = atoi(argv[i + 1]);
  msort(a, t, 0, n - 1);
  for (int i = 0; i < n; i++) printf("%d\n", a[i]);
  free(a); free(t);
  return 0; }

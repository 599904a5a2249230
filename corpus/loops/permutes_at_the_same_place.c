// The call in the loop is for the same place, not the next one.
static int used[4];
static void permute(int k, int n) {
  if (k == n)
    return;
  for (int i = 0; i < n; i++) {
    used[k] = i;
    permute(k, n);
  }
}
int main(void) {
  permute(0, 4);
  return used[0];
}

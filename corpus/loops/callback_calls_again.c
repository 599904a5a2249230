// What is called for each element goes through the elements itself.
typedef void visitor(int, void *);
static void each(int n, visitor *visit, void *x) {
  for (int i = 0; i < n; i++)
    visit(i, x);
}
static void visit(int i, void *x) {
  if (i == 2)
    each(3, visit, x);
}
int main(void) {
  each(3, visit, 0);
  return 0;
}

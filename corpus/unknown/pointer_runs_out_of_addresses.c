// Only because a pointer runs out of addresses would the loop end, which is undefined long before: code of gcc -O0 runs
// for centuries.
int main(void) {
  char row[4];
  char *p = row;
  while (p >= row)
    p++;
  return 0;
}

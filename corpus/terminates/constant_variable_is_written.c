// The write to `k` is undefined behaviour; code of gcc -O0 ends, as `k` is 0 then, although clang takes it for 1.
int main(void) {
  const int k = 1;
  *(int *)&k = 0;
  while (k)
    ;
  return 0;
}

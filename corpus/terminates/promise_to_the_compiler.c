// Whoever breaks the promise does something undefined, and nobody else gets into the loop.
int main(int argc, char **argv) {
  __builtin_assume(argc < 5);
  while (argc > 5)
    ;
  return 0;
}

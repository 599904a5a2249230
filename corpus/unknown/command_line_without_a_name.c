/* C lets argc be 0; Linux has given such programs an empty name since 5.18. */
int main(int argc, char **argv) {
  (void)argv;
  if (argc < 1)
    for (;;) {}
  return 0;
}

/* Linux has room for some hundred thousand arguments; C allows more. */
int main(int argc, char **argv) {
  if (argc > 100000000)
    for (;;) {}
  return 0;
}

// It loops; exceptions are not covered.
int main() {
  for (;;) {
    try {
      throw 1;
    } catch (int) {
    }
  }
}

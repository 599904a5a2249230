// What `measure` gets decides nothing: the loop never ends, whatever it does with `level`.
extern void measure(int *level);

int main(void) {
  int level = 0;
  measure(&level);
  for (;;) {
  }
  return level;
}

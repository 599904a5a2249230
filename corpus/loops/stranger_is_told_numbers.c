// `log_it` has no body and gets numbers only. Nothing that decides can be reached by it: local variables, and a
// `static` one that only `static` functions write, though their address is taken and their distance passed.
extern void log_it(long number);

static int step;

static void advance(int *value) {
  *value = (*value + 1) % 7;
}

void wrap(int *value) {
  *value %= 5;
}

int main(void) {
  char text[10];
  char *end = text + 3;
  int local = 0;
  while (local < 10 && step < 10) {
    advance(&step);
    local++;
    wrap(&local);
    log_it(step + local);
    log_it(end - text);
  }
  return 0;
}

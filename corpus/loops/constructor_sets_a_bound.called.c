// The constructor ran long ago; `step` may be 0 since.
static unsigned step;

__attribute__((constructor)) static void prepare(void) {
  step = 1;
}

void stop_stepping(void) {
  step = 0;
}

unsigned called(void) {
  unsigned i = 0;
  while (i < 10) {
    i += step;
  }
  return i;
}

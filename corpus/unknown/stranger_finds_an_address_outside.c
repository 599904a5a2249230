// The address is passed to nobody: it is left in a variable of another file.
extern int *shared;
extern void run_events(void);

int main(void) {
  int done = 0;
  shared = &done;
  run_events();
  while (done == 0) {
  }
  return 0;
}

// The address is behind the last parameter that is declared.
extern void submit(int count, ...);
extern void run_events(void);

int main(void) {
  int done = 0;
  submit(1, &done);
  run_events();
  while (done == 0) {
  }
  return 0;
}

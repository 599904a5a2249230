// The address is handed over as a number.
extern void submit(unsigned long request);

int main(void) {
  int done = 0;
  submit((unsigned long)&done);
  while (done == 0) {
  }
  return 0;
}

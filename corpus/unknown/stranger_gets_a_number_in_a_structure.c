// The address is a number in a structure that is passed by value.
struct request {
  unsigned long done;
  int kind;
};

extern void submit(struct request request);

int main(void) {
  int done = 0;
  struct request request = {(unsigned long)&done, 1};
  submit(request);
  while (done == 0) {
  }
  return 0;
}

// The structure is passed by value, in memory; the address in it leads to what the loop looks at.
struct request {
  int *done;
  long rest[8];
};

extern void submit(struct request request);

int main(void) {
  int done = 0;
  struct request request = {&done, {0}};
  submit(request);
  while (done == 0) {
  }
  return 0;
}

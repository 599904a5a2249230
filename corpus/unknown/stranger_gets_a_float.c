// The address is passed as the bits of a floating-point number.
extern void submit(double request);

union request {
  int *done;
  double bits;
};

int main(void) {
  int done = 0;
  union request request;
  request.done = &done;
  submit(request.bits);
  while (done == 0) {
  }
  return 0;
}

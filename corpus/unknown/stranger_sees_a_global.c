// `poll_device` has no body: what is not `static` it can write, whatever it is passed.
extern void poll_device(void);

int done;

int main(void) {
  poll_device();
  while (done == 0) {
  }
  return 0;
}

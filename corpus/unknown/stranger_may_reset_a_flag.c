// `poll_device` has no body and gets the address of what decides the loop: that it leaves it alone is assumed for a
// proof, and is no evidence for a run that never ends.
extern void poll_device(int *waiting);

int main(void) {
  int waiting = 1;
  poll_device(&waiting);
  while (waiting) {
  }
  return 0;
}

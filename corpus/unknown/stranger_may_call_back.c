// `subscribe` has no body and gets a function, which ends the loop if it is called.
extern void subscribe(void (*handler)(void));

static int stopped;

static void stop(void) {
  stopped = 1;
}

int main(void) {
  subscribe(stop);
  while (!stopped) {
  }
  return 0;
}

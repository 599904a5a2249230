// Nobody else can write the flag, but `stop` is not `static`: `run_events` may call it.
extern void run_events(void);

static int stopped;

void stop(void) {
  stopped = 1;
}

int main(void) {
  run_events();
  while (!stopped) {
  }
  return 0;
}

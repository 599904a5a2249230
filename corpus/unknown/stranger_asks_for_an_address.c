// The flag is `static`, and a function that is not returns its address.
extern void run_events(void);

static int stopped;

int *where_it_stops(void) {
  return &stopped;
}

int main(void) {
  run_events();
  while (!stopped) {
  }
  return 0;
}

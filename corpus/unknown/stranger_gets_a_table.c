// The function is inside of the structure whose address `install` gets.
struct driver {
  int unit;
  void (*stop)(void);
};

extern int install(struct driver *driver);

static int running = 1;

static void stop(void) {
  running = 0;
}

int main(void) {
  struct driver driver = {1, stop};
  install(&driver);
  while (running) {
  }
  return 0;
}

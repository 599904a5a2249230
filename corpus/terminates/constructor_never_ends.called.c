// The question is about `called` alone: a constructor runs before it, a destructor after it.
__attribute__((constructor)) static void before(void) {
  for (;;) {
  }
}

__attribute__((destructor)) static void after(void) {
  for (;;) {
  }
}

void called(unsigned char turns) {
  while (turns > 0) {
    turns--;
  }
}

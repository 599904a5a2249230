// The same function whether a header declares it or the program itself: `glob` calls `failed` for folders that it
// cannot read.
int glob(const char *pattern, int flags, int (*failed)(const char *, int), void *found);

static int failed(const char *path, int why) {
  for (;;) {
  }
}

int main(void) {
  char found[128];
  return glob("/*/*", 0, failed, found);
}

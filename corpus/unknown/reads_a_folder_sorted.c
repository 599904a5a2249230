// `scandir` calls both functions; one of them never returns once there are two entries.
#include <dirent.h>

static int all(const struct dirent *entry) {
  return 1;
}

static int order(const struct dirent **left, const struct dirent **right) {
  for (;;) {
  }
}

int main(void) {
  struct dirent **entries;
  return scandir("/", &entries, all, order) < 0;
}

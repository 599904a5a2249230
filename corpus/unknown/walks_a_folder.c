// `nftw` calls `visit` for every file, and that never returns. Ouro has no model of it, and must not take it for a
// function that does nothing.
#define _XOPEN_SOURCE 700
#include <ftw.h>

static int visit(const char *path, const struct stat *about, int kind, struct FTW *where) {
  for (;;) {
  }
}

int main(void) {
  return nftw(".", visit, 8, 0);
}

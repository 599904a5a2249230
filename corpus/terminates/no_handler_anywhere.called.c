// Nothing in this program registers a handler.
#include <stdlib.h>

void called(int code) {
  if (code != 0) {
    exit(code);
  }
}

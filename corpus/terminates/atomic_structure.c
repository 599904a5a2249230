// Too large for one instruction: clang calls its library, which in one thread copies.
#include <stdatomic.h>

struct block {
  char bytes[24];
};

static _Atomic struct block shared;

int main(void) {
  struct block mine = {{7}};
  atomic_store(&shared, mine);
  struct block seen = atomic_load(&shared);
  while (seen.bytes[0] != 7 || seen.bytes[23] != 0) {
  }
  return 0;
}

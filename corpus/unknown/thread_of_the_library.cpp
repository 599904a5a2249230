// The thread never ends, so joining it never does.
#include <thread>

static volatile int turn;

int main() {
  std::thread other([] {
    while (turn == 0) {
    }
  });
  other.join();
  return 0;
}

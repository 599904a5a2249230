// `std::call_once` calls back through a function of the C++ library: this loops, and the model stops there.
#include <mutex>

int main() {
  std::once_flag flag;
  std::call_once(flag, [] {
    for (;;)
      ;
  });
}

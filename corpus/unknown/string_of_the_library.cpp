// The string grows until it is long enough, by code of the C++ library that is not here.
#include <string>

int main() {
  std::string text = "a";
  while (text.size() < 5)
    text += "b";
  return 0;
}

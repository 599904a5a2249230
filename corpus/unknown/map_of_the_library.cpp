// One entry is taken out again. Balancing the tree is code of the C++ library that is not here.
#include <map>

int main() {
  std::map<int, int> squares;
  squares[3] = 9;
  while (squares.size() != 0)
    squares.erase(squares.begin());
  return 0;
}

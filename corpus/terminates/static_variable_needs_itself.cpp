// The initialisation of `x` comes back to itself, which is undefined: the C++ library throws an exception that nobody
// catches, and nothing recurs forever.
int f() {
  static int x = f() + 1;
  return x;
}

int main() { return f(); }

struct Waiting {
  int flag;
  Waiting() : flag(1) {}
  ~Waiting() {
    while (flag)
      ;
  }
};

static void make() {
  static Waiting waiting;
}

int main() {
  make();
}

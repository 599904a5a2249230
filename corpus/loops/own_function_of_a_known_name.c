// A program may have its own function of a name that glibc has too; the body counts.
int wait(int turns) {
  return turns + 1;
}

int error(int code) {
  return code;
}

int main(void) {
  int turns = 0;
  while (error(wait(turns)) > turns) {
  }
  return 0;
}

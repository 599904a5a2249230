// A literal cannot change, and a number is a copy.
extern int say(const char *text, int count);

int main(void) {
  int count = 3;
  while (count > 0) {
    say("again", count);
  }
  return 0;
}

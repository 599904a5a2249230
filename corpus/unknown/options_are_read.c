// `getopt` comes to its end after every argument was seen; a result that the environment may pick would go on forever.
#include <unistd.h>

int main(void) {
  char *words[] = {"program", "-a", "-b", 0};
  int seen = 0;
  while (getopt(3, words, "ab") != -1) {
    seen = 1;
  }
  return seen;
}

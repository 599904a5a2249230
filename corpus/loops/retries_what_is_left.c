// Short writes make progress, but a failure does not, and it may repeat forever.
#include <string.h>
#include <unistd.h>

int main(void) {
  const char *text = "hello";
  size_t left = strlen(text);
  while (left > 0) {
    ssize_t taken = write(1, text, left);
    if (taken < 0)
      continue;
    text += taken;
    left -= (size_t)taken;
  }
  return 0;
}

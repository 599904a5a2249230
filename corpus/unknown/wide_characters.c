// "ab" has two characters; wide characters have no model.
#include <stdlib.h>
#include <wchar.h>

int main(void) {
  wchar_t text[8];
  while (mbstowcs(text, "ab", 8) != 2) {
  }
  return 0;
}

/* What the locale is called nobody promises. */
#include <locale.h>
#include <string.h>
int main(void) {
  const char *name = setlocale(LC_ALL, "");
  if (name == 0) return 1;
  if (strcmp(name, "C") != 0)
    for (;;) {}
  return 0;
}

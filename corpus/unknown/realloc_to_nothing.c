// glibc frees and returns a null pointer; other libraries return an object without bytes.
#include <stdlib.h>

int main(void) {
  char *bytes = malloc(5);
  if (bytes == NULL)
    return 0;
  bytes = realloc(bytes, 0);
  while (bytes != NULL)
    ;
  return 0;
}

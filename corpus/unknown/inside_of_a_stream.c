// What glibc keeps in a stream is not modelled: nobody knows what is there.
#include <stdio.h>

int main(void) {
  while (stdin->_fileno == 0)
    ;
  return 0;
}

#define _DEFAULT_SOURCE
#include <stdlib.h>
static void handler(int status, void *argument) { while (status == 7 && *(int *)argument == 3) {} }
static int number = 3;
int main(void) {
  on_exit(handler, &number);
  return 7;
}

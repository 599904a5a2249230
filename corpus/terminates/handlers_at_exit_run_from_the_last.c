/* `atexit` and `on_exit` share one list: b, then a. */
#define _DEFAULT_SOURCE
#include <stdlib.h>
static int order;
static void a(void) { while (order != 5) {} }
static void b(int status, void *argument) { (void)argument; order = status; }
int main(void) {
  atexit(a);
  on_exit(b, 0);
  exit(5);
}

/* Destructors of equal priority run in reverse order: gcc's program hangs. */
static int last;
__attribute__((destructor)) static void first(void) { while (last == 2) {} }
__attribute__((destructor)) static void second(void) { last = 2; }
int main(void) { return 0; }

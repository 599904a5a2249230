/* Those without priority run first, then the larger number, and of equal ones the later: d, b, c, a. */
static int order;
__attribute__((destructor(101))) static void a(void) { while (order != 421) {} }
__attribute__((destructor(103))) static void b(void) { order = order * 10 + 2; }
__attribute__((destructor(102))) static void c(void) { order = order * 10 + 1; }
__attribute__((destructor)) static void d(void) { order = 4; }
int main(void) { return 0; }

/* The loader calls what `.fini_array` points to after `main`, and it never returns. */
static void hang(void) {
  for (;;) {}
}
__attribute__((section(".fini_array"), used)) static void (*after)(void) = hang;
int main(void) { return 0; }

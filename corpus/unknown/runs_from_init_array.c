/* The loader calls what `.init_array` points to before `main`, and it never returns. */
static void hang(void) {
  for (;;) {}
}
__attribute__((section(".init_array"), used)) static void (*before)(void) = hang;
int main(void) { return 0; }

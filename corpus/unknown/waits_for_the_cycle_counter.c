/* The counter goes on by itself, so the loop ends soon; nobody chooses what it shows. */
int main(void) {
  unsigned long start = __builtin_readcyclecounter();
  while (__builtin_readcyclecounter() <= start) {}
  return 0;
}

/* The loader sets `environ`, and never to null. */
extern char **environ;
int main(void) {
  if (environ == 0)
    for (;;) {}
  return 0;
}

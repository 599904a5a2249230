// `next` gets nothing and may return 0 each time.
extern unsigned next(void);

int main(void) {
  unsigned left = 5;
  while (left != 0) {
    left -= next() & 0;
  }
  return 0;
}

// `error` and `index` take other arguments here than in glibc: functions of this program without a body, which are
// assumed to change nothing.
extern void error(int *message);
extern int index(void);

int main(void) {
  int message = 3;
  error(&message);
  while (message > 0) {
    message--;
    index();
  }
  return 0;
}

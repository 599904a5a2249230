// `watch` may keep the address, so that `poll_once`, which is handed nothing, may change the flag later.
extern void watch(int *flag);
extern void poll_once(void);

int main(void) {
  int flag = 0;
  watch(&flag);
  flag = 0;
  poll_once();
  while (flag == 0) {
  }
  return 0;
}

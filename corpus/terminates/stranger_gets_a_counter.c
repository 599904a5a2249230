// The counter goes down if `show` leaves it alone, which is assumed by name.
extern void show(const int *counter);

int main(void) {
  int counter = 10;
  while (counter > 0) {
    counter--;
    show(&counter);
  }
  return 0;
}

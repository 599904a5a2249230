// One element of the array decides, and `decode` gets another one's address: the whole array is in its reach.
extern void decode(char *to);

int main(void) {
  char text[8] = {0};
  decode(text + 4);
  while (text[0] == 0) {
  }
  return 0;
}

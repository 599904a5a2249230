// How far two addresses in one array are apart tells nobody where the array is: nothing sets `stop`.
void tell(long length);

int main(void) {
  int stop = 0, row[4] = {0};
  int *end = row + 4;
  while (!stop)
    tell(end - row);
  return row[0];
}

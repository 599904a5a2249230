// The address gets into the table after the table's own was passed.
extern void keep(int **table);
extern void run_events(void);

static int *table[4];
static int done;

int main(void) {
  keep(table);
  table[2] = &done;
  run_events();
  while (done == 0) {
  }
  return 0;
}

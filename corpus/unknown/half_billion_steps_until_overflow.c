// Only an overflow ends it by C's rules; with integers that wrap around it ends.
extern int nd(void);
int main(void) {
    int i = nd();
    if (i < 1000000000) return 0;
    while (i > 0) i += 500000000;
    return 0;
}

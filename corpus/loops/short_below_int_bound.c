// A short that is counted up is converted back, which wraps: with a bound above 32767 it never ends.
extern int nd(void);
int main(void) {
    int n = nd();
    for (short i = 0; i < n; i++);
    return 0;
}

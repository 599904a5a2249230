// The sum that overflows is in a function that the loop calls.
extern int nd(void);
static int next(int i) {
    return i+3;
}
int main(void) {
    int n = nd();
    int i = 0;
    while (i <= n) i = next(i);
    return 0;
}

// A long index has room above every int.
extern int nd(void);
int main(void) {
    long i = 0;
    int n = nd();
    while (i <= n) i += 2;
    return i;
}

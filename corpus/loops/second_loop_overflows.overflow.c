// The first loop is harmless, the second comes round past the largest int.
extern int nd(void);
int main(void) {
    int n = nd();
    for (int i = 0;i < 5;i++);
    for (int i = 0;i <= n;i += 2);
    return 0;
}

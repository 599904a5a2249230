// The inner loop never ends where its bound is the largest int.
extern int nd(void);
int main(void) {
    int n = nd(), m = nd();
    for (int i = 0;i < n;i++) for (int j = 0;j <= m;j++);
    return 0;
}

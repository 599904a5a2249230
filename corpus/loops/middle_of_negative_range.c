// Between -1 and 0 the middle is 0, toward zero, and nothing changes: no overflow is needed.
extern int nd(void);
int main(void) {
    int lo = nd(), hi = nd();
    while (lo < hi) {
        int m = (lo+hi)/2;
        if (nd()) lo = m+1;
        else hi = m;
    }
    return 0;
}

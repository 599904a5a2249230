// Only where i would be 16 does the loop end by C's rules; five bits then come round.
extern int nd(void);
int main(void) {
    _BitInt(5) n = nd();
    for (_BitInt(5) i = 0;i <= n;i++);
    return 0;
}

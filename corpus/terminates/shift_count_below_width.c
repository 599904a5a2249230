// The count never reaches the width.
extern unsigned long nd(void);
int main(void) {
    unsigned long n = nd();
    int k = 0;
    while (k < 64 && !(n>>k&1)) k++;
    return k;
}

// No bit of zero is set: x86 takes the count modulo 64 and goes on.
extern unsigned long nd(void);
int main(void) {
    unsigned long n = nd();
    int k = 0;
    while (!(n>>k&1)) k++;
    return k;
}

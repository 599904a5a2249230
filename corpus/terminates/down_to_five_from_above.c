// From above, five is met before any overflow.
extern int nd(void);
int main(void) {
    int n = nd();
    if (n < 6) return 0;
    do n--;
    while (n != 5);
    return 0;
}

// Where i is below n there is room for one more.
extern int nd(void);
int main(void) {
    int i = nd(), n = nd();
    while (i < n) i += 1;
    return i;
}

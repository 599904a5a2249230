// An unsigned index never gets to a bound above 2^32.
extern long nd(void);
int main(void) {
    long n = nd();
    for (unsigned i = 0; i < n; i++);
    return 0;
}

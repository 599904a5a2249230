// Doubling loses a bit each iteration: after eight iterations nothing is left.
signed char nd(void);
int main(void) {
    signed char c = nd();
    while (c > 0) c += c;
    return 0;
}

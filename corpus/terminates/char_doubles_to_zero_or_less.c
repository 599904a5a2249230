// Doubling loses a bit each turn: after eight turns nothing is left.
signed char nd(void);
int main(void) {
    signed char c = nd();
    while (c > 0) c += c;
    return 0;
}

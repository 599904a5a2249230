// The bit stays set, so x is never 3; the depth is counted.
unsigned g(unsigned x, unsigned d) { if (x == 3) return d; return g(x | 4, d + 1) + 1; }
int main(void) { return g(8, 0); }

// Five unsigned bits are never above 31.
int main(void) {
    unsigned _BitInt(5) n = 31;
    for (unsigned _BitInt(5) i = 0;i <= n;i++);
    return 0;
}

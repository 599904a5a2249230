int main(void) {
    unsigned bits = 0;
    for (int i = 0; i <= 32; i += 8)
        bits |= 1u << i; // undefined: shift by 32 of a value of 32 bits
    return (int)bits;
}

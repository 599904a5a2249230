int main(void) {
    int n = -1;
    return 8 >> n; // undefined: shift by 4294967295 of a value of 32 bits
}

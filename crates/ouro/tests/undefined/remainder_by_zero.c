int main(void) {
    unsigned n = 0;
    return 5u % n; // undefined: division by zero
}

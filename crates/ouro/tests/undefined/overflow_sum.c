int main(void) {
    int i = 1;
    while (i > 0)
        i += i; // undefined: signed integer overflow
    return 0;
}

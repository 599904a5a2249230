int main(void) {
    int *volatile p = 0;
    *p = 1; // undefined: write through a null pointer
    return 0;
}

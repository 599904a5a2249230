static int look(const short *at, int i) {
    return at[i]; // undefined: read of 2 bytes at offset -2 of numbers, which has 8
}
int main(void) {
    short numbers[4] = {1, 2, 3, 4};
    return look(numbers, 3) + look(numbers, -1);
}

static int sign(int x) {
    if (x > 0) return 1;
    if (x < 0) return -1;
} // asks for: missing return value of sign
int main(void) {
    int a = sign(5);
    return a + sign(0);
}

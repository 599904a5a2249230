// The sum is narrowed before it is compared, and so comes to zero.
int main(void) {
    unsigned char c = 200;
    while ((unsigned char)(c+1) != 0) c++;
    return 0;
}

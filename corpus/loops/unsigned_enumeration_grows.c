// Without a negative name the enumeration is unsigned: it is never below the first.
enum e {A, B, C};
int main(void) {
    enum e x = A;
    while (x >= A) x++;
    return 0;
}

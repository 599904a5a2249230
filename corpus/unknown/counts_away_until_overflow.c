// Only an overflow ends it by C's rules; with integers that wrap around it ends.
int main(void) {
    int i = 0;
    while (i < 5) i--;
    return 0;
}

int main(void) {
    int *kept = 0;
    for (int n = 1; n < 3; n++) {
        int a[n];
        a[0] = n;
        if (n == 2) a[0] += *kept; // undefined: read of a after its life ended
        kept = a;
    }
    return 0;
}

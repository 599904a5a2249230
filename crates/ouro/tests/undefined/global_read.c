static long counters[2];
int main(void) {
    long *p = counters + 2;
    return (int)*p; // undefined: read of 8 bytes at offset 16 of counters, which has 16
}

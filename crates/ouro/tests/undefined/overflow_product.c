int main(void) {
    long long factorial = 1;
    for (int i = 1; i < 30; i++)
        factorial *= i; // undefined: signed integer overflow
    return 0;
}

int main(void) {
    int (*f)(int) = 0;
    return f(1); // undefined: call through a null pointer
}

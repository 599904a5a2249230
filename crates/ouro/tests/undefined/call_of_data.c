static int data = 5;
int main(void) {
    void (*f)(void) = (void (*)(void))&data;
    f(); // undefined: call of data, which is no function
    return 0;
}

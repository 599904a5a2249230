static int *leaked(void) {
    int local = 5;
    int *volatile p = &local;
    return p;
}
int main(void) {
    return *leaked(); // undefined: read of local after its life ended
}

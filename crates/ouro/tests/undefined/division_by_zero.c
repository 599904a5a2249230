static int share(int total, int people) {
    return total / people; // undefined: division by zero
}
int main(void) {
    int sum = 0;
    for (int i = 3; i >= 0; i--) sum += share(12, i);
    return sum;
}

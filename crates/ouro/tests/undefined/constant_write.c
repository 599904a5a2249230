static const int limit = 5;
int main(void) {
    *(int *)&limit = 6; // undefined: write to limit, which is constant
    return limit;
}

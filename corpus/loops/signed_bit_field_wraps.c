// Three bits of sign and number come round and are never -5.
struct s{int a:3;};
int main(void) {
    struct s s={0};
    while (s.a>-5) s.a++;
    return 0;
}

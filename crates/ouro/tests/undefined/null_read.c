struct pair { int a, b; };
static int second(const struct pair *p) {
    return p->b; // undefined: read through a null pointer
}
int main(void) {
    return second(0);
}

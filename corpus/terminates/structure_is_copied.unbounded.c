extern int __VERIFIER_nondet_int(void);

struct pair {
    int first;
    long second;
    char third;
};

int main(void)
{
    struct pair a = {__VERIFIER_nondet_int(), __VERIFIER_nondet_int(), 1};
    struct pair b = a;
    while (b.first != a.first || b.second != a.second)
        ;
    switch (b.first - a.first) {
    case 0:
        return 0;
    case 1:
        for (;;)
            ;
    default:
        for (;;)
            ;
    }
}

/* Pointers with a symbolic offset keep their object: they are compared and subtracted as indices are. */
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int array[8];
    int i = __VERIFIER_nondet_int(), j = __VERIFIER_nondet_int();
    if (i < 0 || i > 8 || j < 0 || j > 8)
        return 0;
    int *p = array + i, *q = array + j;
    while (p - q != i - j)
        ;
    while ((p < q) != (i < j))
        ;
    while ((p == q) != (i == j))
        ;
    return 0;
}

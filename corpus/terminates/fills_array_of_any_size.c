extern int __VERIFIER_nondet_int(void);
void *malloc(unsigned long size);

int main(void)
{
    int size = __VERIFIER_nondet_int();
    if (size < 1 || size > 1000000)
        return 0;
    int *a = malloc((unsigned long) size * sizeof(int));
    for (int i = 0; i < size; i++)
        a[i] = __VERIFIER_nondet_int();
    for (int *p = a; p < a + size; p++)
        *p = 0;
    return 0;
}

/* However long the string is, p stays within it. */
extern int __VERIFIER_nondet_int(void);
void *malloc(unsigned long size);

static int length(const char *s)
{
    const char *p = s;
    while (*p != '\0')
        p++;
    return (int) (p - s);
}

int main(void)
{
    int size = __VERIFIER_nondet_int();
    if (size < 1)
        size = 1;
    char *s = malloc((unsigned long) size);
    s[size - 1] = '\0';
    return length(s) > 3;
}

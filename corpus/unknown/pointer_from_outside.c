extern int *lookup(void);

int main(void)
{
    int *p = lookup();
    while (*p)
        ;
    return 0;
}

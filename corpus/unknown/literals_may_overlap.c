/* A compiler may make the second literal a part of the first. */
int main(void)
{
    const char *volatile p = "foobar";
    const char *volatile q = "bar";
    if (p + 3 == q)
        for (;;)
            ;
    return 0;
}

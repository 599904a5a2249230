/* An unsigned number is never negative. */
extern void use(unsigned i);
int main(void)
{
    for (unsigned i = 10; i >= 0; i--)
        use(i);
    return 0;
}

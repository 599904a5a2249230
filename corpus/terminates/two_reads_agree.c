int main(void)
{
    int x;
    if (x == x)
        return 0;
    for (;;)
        ;
}

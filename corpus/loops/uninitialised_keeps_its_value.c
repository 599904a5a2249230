int main(void)
{
    int x;
    while (x > 7)
        ;
    return 0;
}

int main(void)
{
    int a, b;
    while ((unsigned long)&a % 4096 < (unsigned long)&b % 4096)
        ;
    return 0;
}

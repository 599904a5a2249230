int main(void)
{
    int i = 2147483600;
    while (i != 0)
        i = i > 0 ? i + 1 : 2147483600;
    return 0;
}

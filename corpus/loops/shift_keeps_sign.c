int main(void)
{
    int x = -8;
    while (x != 0)
        x >>= 1;
    return 0;
}

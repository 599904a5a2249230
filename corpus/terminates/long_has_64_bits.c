int main(void)
{
    while (sizeof(long) == 4)
        ;
    return 0;
}

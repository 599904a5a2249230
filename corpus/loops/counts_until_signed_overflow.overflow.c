int main(void)
{
    int i = 2147483600;
    for (;;)
        i++;
}

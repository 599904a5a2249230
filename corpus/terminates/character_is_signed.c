int main(void)
{
    char c = (char)200;
    while (c > 0)
        ;
    return 0;
}

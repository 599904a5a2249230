int main(void)
{
    for (unsigned char i = 0; i < 256; i++)
        ;
    return 0;
}

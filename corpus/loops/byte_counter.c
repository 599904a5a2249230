/* A byte is always less than 256. */
extern void use(int i);
int main(void)
{
    for (unsigned char i = 0; i < 256; i++)
        use(i);
    return 0;
}

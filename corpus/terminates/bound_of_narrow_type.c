/* An unsigned char is at most 255, so i never overflows. */
extern unsigned char read_byte(void);

int main(void)
{
    unsigned char n = read_byte();
    int count = 0;
    for (int i = 0; i <= n; i++)
        count++;
    return count;
}

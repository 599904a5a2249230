/* The least number divided by -1: the processor traps, so that run ends; all others end at once. */
extern int read_number(void);

int main(void)
{
    int x = read_number(), y = read_number();
    if (y == 0)
        return 0;
    int quotient = x / y;
    while (x < -2147483647 && y == -1)
        ;
    return quotient;
}

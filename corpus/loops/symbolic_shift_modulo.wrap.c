/* With count == 33 it is a shift by 1, in both directions. */
extern unsigned read_number(void);

int main(void)
{
    unsigned count = read_number();
    unsigned five = 5;
    int minus_eight = -8;
    if (count < 32)
        return 0;
    while ((five << count) == 10u && (minus_eight >> count) == -4)
        ;
    return 0;
}

/* With x == 0 no bit is set: the search goes on past the last one, modulo 32. */
extern unsigned read_number(void);

int main(void)
{
    unsigned x = read_number();
    int at = 0;
    while (!((x >> at) & 1))
        at++;
    return at;
}

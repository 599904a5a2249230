/* x / -1 in the text is -x for gcc, which does not trap. */
extern int read_number(void);

int main(void)
{
    int x = read_number();
    while (x < 0 && x / -1 < 0 && x % -1 == 0)
        ;
    return 0;
}

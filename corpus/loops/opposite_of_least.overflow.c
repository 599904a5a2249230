/* -INT_MIN is INT_MIN: it is its own opposite and not 0. */
extern int read_number(void);

int main(void)
{
    int x = read_number();
    while (x != 0 && x == -x)
        x = -x;
    return 0;
}

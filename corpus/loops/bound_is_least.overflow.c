/* Downwards: with m == INT_MIN every int is at least m. */
extern int read_number(void);

int main(void)
{
    int m = read_number();
    int i = 100;
    while (i >= m)
        i -= 3;
    return 0;
}

/* Counts the digits of n; with n == INT_MAX no power of ten is larger, also none that wrapped around. */
extern int read_number(void);

int main(void)
{
    int n = read_number(), width = 1;
    for (int i = 10; i <= n; width++)
        i *= 10;
    return width;
}

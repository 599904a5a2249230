/* 2^30 doubles to -2^31 and that to 0, which stays below n. */
extern int read_number(void);

int main(void)
{
    int n = read_number();
    for (int i = 1; i < n; i *= 2)
        ;
    return 0;
}

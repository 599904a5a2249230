/* With n == INT_MAX every int is at most n: i wraps around and goes on. */
extern int read_number(void);

int main(void)
{
    int n = read_number();
    long sum = 0;
    for (int i = 1; i <= n; i++)
        sum += i;
    return sum != 0;
}

/* i < n: i + 1 is at most n and never overflows, whatever the sum does. */
extern int read_number(void);

int main(void)
{
    int n = read_number(), sum = 0;
    for (int i = 0; i < n; i++)
        sum += i * i;
    return sum;
}

static int sum(int n)
{
    int total = 0;
    while (n > 0) {
        int a[n];
        for (int i = 0; i < n; i++)
            a[i] = i;
        total += a[n - 1];
        n--;
    }
    return total;
}

int main(void)
{
    return sum(5);
}

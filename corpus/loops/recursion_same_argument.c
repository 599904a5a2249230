static int f(int n)
{
    return n == 0 ? 0 : 1 + f(n);
}

int main(void)
{
    return f(1);
}

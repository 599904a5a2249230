int main(void)
{
    int a[4] = {1, 1, 1, 1};
    int i = 0;
    while (a[i])
        i++;
    return 0;
}

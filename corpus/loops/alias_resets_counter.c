int main(void)
{
    int i = 0;
    int *p = &i;
    while (i < 3) {
        i++;
        *p = 0;
    }
    return 0;
}

int main(void)
{
    static void *labels[] = {&&first, &&second};
    int i = 0;
first:
    i = 1 - i;
    goto *labels[i];
second:
    goto *labels[0];
}

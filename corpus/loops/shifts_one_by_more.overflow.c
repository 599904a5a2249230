/* The count is taken modulo 32, so the value is never 0. */
int main(void)
{
    int k = 0;
    while ((1 << k) != 0)
        k++;
    return k;
}

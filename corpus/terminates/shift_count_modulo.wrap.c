/* 1 << k is taken modulo 32: k = 63 is the first with the sign set and a k above 40. */
int main(void)
{
    int k = 0;
    while (!(k > 40 && (1 << k) < 0))
        k++;
    return k;
}

/* The gap between i and j stays small, but both grow until one overflows. */
int main(void)
{
    int i = 0;
    int j = 0;
    while (i <= j) {
        if (j - i < 1)
            j = j + 2;
        i = i + 1;
    }
    return 0;
}

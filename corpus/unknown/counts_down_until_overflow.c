/* Only an overflow ends it: with integers that wrap around it ends, in what gcc -O2 makes of it, it does not. */
int main(void)
{
    int i = 0;
    while (i < 5)
        i--;
    return 0;
}

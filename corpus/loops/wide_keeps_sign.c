/* Extended to 128 bits, a negative number stays negative. */
int main(void)
{
    int narrow = -3;
    __int128 wide = narrow;
    while (wide < 0)
        ;
    return 0;
}

/* s + 1 is an int and does not overflow; it becomes a short again in s, which ends at 32767. */
int main(void)
{
    short s = 0;
    while (s >= 0)
        s++;
    return 0;
}

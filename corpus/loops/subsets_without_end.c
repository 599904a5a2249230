/* From 0 it goes on with the whole mask. */
extern void use(unsigned set);
int main(void)
{
    unsigned mask = 5;
    for (unsigned s = mask; s <= mask; s = (s - 1) & mask)
        use(s);
    return 0;
}

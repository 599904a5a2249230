/* A bit-field of three bits is read as an int, so its sum does not overflow; stored, it goes round. */
struct counter {
    int small : 3;
    unsigned turns : 4;
};

int main(void)
{
    struct counter c = { 0, 0 };
    while (c.turns < 12) {
        c.small = c.small + 1;
        c.turns++;
    }
    return c.small;
}

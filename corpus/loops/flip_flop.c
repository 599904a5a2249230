/* Two parts wait for each other. */
int main(void)
{
    int red = 1, green = 0, rounds = 0;
    while (red != green) {
        int t = red;
        red = green;
        green = t;
        rounds = !rounds;
    }
    return rounds;
}

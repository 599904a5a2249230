int main(void)
{
    int ticks = 0;
    for (;;)
        ticks++;
}

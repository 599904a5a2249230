int main(void)
{
    int x = 3;
again:
    if (x > 5)
        goto down;
    x++;
    goto again;
down:
    x--;
    goto again;
}

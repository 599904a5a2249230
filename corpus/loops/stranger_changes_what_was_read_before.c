/* Whatever `trace` does to `mode`, nothing reads it any more. */

void trace(int);

int mode;

static void step(void)
{
    trace(1);
}

int main(void)
{
    if (mode != 0)
        return 0;
    for (;;)
        step();
}

/* `poll` may set `done`, which its caller's caller reads next. */

void poll(void);

int done;

static void step(void)
{
    poll();
}

int main(void)
{
    while (!done)
        step();
    return 0;
}

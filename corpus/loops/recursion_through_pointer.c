static void call(void (*f)(void))
{
    f();
}

static void g(void)
{
    call(g);
}

int main(void)
{
    g();
    return 0;
}

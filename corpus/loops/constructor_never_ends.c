static volatile int ready;

__attribute__((constructor)) static void wait(void)
{
    while (!ready)
        ;
}

int main(void)
{
    return 0;
}

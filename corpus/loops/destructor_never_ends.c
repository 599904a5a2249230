__attribute__((destructor)) static void finish(void)
{
    for (;;)
        ;
}

int main(void)
{
    return 0;
}

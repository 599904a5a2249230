int main(void)
{
    int x = 1;
    __asm__ volatile("movl $0, %0" : "=r"(x));
    while (x)
        ;
    return 0;
}

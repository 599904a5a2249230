// The loop after the call is not reached, whatever `panic` does.
extern void panic(void) __attribute__((noreturn));

int main(void)
{
    void (*last)(void) = panic;
    last();
    for (;;)
        ;
}

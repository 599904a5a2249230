#include <signal.h>

static volatile sig_atomic_t stop;

static void handler(int number)
{
    stop = number;
}

int main(void)
{
    signal(SIGINT, handler);
    while (!stop)
        ;
    return 0;
}

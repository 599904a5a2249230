/* Retries with exponential back-off and a cap. */
#include <stdio.h>
#include <stdlib.h>

extern int try_connect(int port);
extern void sleep_ms(unsigned ms);

int main(void)
{
    unsigned delay = 100;
    int attempts = 0;
    for (;;) {
        if (try_connect(8080) == 0) {
            puts("connected");
            return 0;
        }
        if (++attempts >= 8)
            break;
        sleep_ms(delay + rand() % 50);
        delay *= 2;
        if (delay > 5000)
            delay = 5000;
    }
    fprintf(stderr, "gave up after %d attempts\n", attempts);
    return 1;
}

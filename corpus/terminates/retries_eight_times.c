/* Retries with a delay that doubles, a fixed number of times. */
extern int try_once(void);
extern void pause_for(unsigned ms);
int main(void)
{
    unsigned delay = 10;
    for (int attempt = 0; attempt < 8; attempt++) {
        if (try_once() == 0)
            return 0;
        pause_for(delay);
        delay *= 2;
        if (delay > 1000)
            delay = 1000;
    }
    return 1;
}

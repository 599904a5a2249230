/* The delay doubles up to a limit of tries. */
extern int connect_once(void);
extern void wait_for(unsigned ms);
int main(void)
{
    unsigned delay = 100, tries = 0;
    while (connect_once() != 0) {
        if (++tries >= 10)
            return 1;
        wait_for(delay);
        delay = delay < 30000 ? delay * 2 : 60000;
    }
    return 0;
}

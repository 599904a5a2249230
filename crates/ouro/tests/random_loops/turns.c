/* A limit on turns, for programs whose inputs come from a reproducer: exit code 99 says that the
 * program was still running after TURNS of them. */
#include <stdlib.h>
#include <unistd.h>

void turn(void)
{
    static unsigned long turns, most;
    if (most == 0)
        most = strtoul(getenv("TURNS"), NULL, 10);
    if (++turns > most)
        _exit(99);
}

/* More than 255 arguments, and the counter starts again. */
#include <stdio.h>

int main(int argc, char **argv)
{
    if (argc < 2)
        return 1;
    puts(argv[1]);
    for (unsigned char i = 0; i < argc; i++)
        putchar('.');
    return 0;
}

#include <stdio.h>

int main(void)
{
    int c;
    while ((c = getchar()) != 'q')
        ;
    return 0;
}

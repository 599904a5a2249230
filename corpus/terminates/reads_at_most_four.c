#include <stdio.h>

int main(void)
{
    int spaces = 0;
    for (int i = 0; i < 4; i++) {
        int c = getchar();
        if (c == EOF)
            break;
        spaces += c == ' ';
    }
    return spaces;
}

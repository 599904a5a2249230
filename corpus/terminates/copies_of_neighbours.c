/* Texts in one array that do not share a byte are copied as those of two arrays. */
#include <stdio.h>
#include <string.h>

int main(void)
{
    char text[16] = "abc";
    strcpy(text + 4, text);
    strncpy(text + 8, text + 4, 4);
    sprintf(text + 12, "%.3s", text + 8);
    while (strcmp(text + 12, "abc") != 0)
        ;
    return 0;
}

#include <string.h>

int main(void)
{
    char text[32] = "one";
    strcat(text, " two");
    for (char *p = strtok(text, " "); p; p = strtok(NULL, " "))
        ;
    return (int)strlen(text);
}

#include <stdio.h>
int main(void) {
    char text[16] = "again";
    sprintf(text, "x%s", text); // undefined: formatting between overlapping regions
    return 0;
}

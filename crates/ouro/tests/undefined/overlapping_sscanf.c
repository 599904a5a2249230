#include <stdio.h>
int main(void) {
    char text[16] = "word";
    sscanf(text, "%s", text + 1); // undefined: copying between overlapping regions
    return 0;
}

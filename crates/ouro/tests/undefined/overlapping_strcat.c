#include <string.h>
int main(void) {
    char text[16] = "twice";
    strcat(text, text); // undefined: copying between overlapping regions
    return 0;
}

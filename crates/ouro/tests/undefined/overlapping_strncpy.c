#include <string.h>
int main(void) {
    char text[16] = "padded";
    strncpy(text, text + 6, 8); // undefined: copying between overlapping regions
    return 0;
}

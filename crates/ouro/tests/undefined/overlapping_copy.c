#include <string.h>
int main(void) {
    char text[16] = "overlapping";
    memcpy(text + 2, text, 8); // undefined: memcpy between overlapping regions
    return 0;
}

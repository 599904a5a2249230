#include <string.h>
struct small { char bytes[4]; };
int main(void) {
    struct small a = {"abc"}, b;
    memcpy(&b, &a, 5); // undefined: write of 5 bytes at offset 0 of b, which has 4
    return b.bytes[0];
}

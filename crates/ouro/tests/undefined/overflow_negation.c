#include <limits.h>
int main(void) {
    long x = LONG_MIN;
    return -x < 0; // undefined: signed integer overflow
}

#include <string.h>
int main(void) {
    char name[3] = {'a', 'b', 'c'};
    return (int)strlen(name); // undefined: read of 1 byte at offset 3 of name, which has 3
}

// read may fail again and again, which is not 0.
#include <unistd.h>
int main(void) {
    char b;
    while (read(0,&b, 1) != 0);
    return 0;
}

// A descriptor: closed, unless the input is 1 (forgotten) or 2 (closed twice).
#include <fcntl.h>
#include <unistd.h>

extern int input(void);

int main(void) {
    int file = open("file", O_RDONLY);
    if (file < 0) return 1;
    switch (input()) {
    case 1:
        return 0;
    case 2:
        close(file);
        break;
    }
    close(file);
    return 0;
}

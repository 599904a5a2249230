// Each attempt may be interrupted.
#include <unistd.h>
#include <errno.h>
int main(void) {
    char b;
    ssize_t n;
    while ((n = read(0,&b, 1))<0 && errno == EINTR);
    return 0;
}

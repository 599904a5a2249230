// only: lp64 (Debian has no errno.h for i386)
// errno after functions of the C library.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    printf("%d\n", errno);
    strtol("12345", NULL, 10);
    printf("%d\n", errno);
    strtol("99999999999999999999", NULL, 10);
    printf("%d\n", errno == ERANGE);
    errno = EINVAL;
    printf("%d\n", errno == EINVAL);
    errno = 0;
    strtoul("99999999999999999999999", NULL, 16);
    printf("%d %d\n", errno == ERANGE, errno == ENOMEM);
    return errno ? 1 : 0;
}

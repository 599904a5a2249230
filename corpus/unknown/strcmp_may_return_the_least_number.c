/* Of what strcmp returns only the sign is promised: it may be INT_MIN. */
#include <string.h>

int main(void)
{
    char left[8] = "apple", right[8] = "pear";
    int order = strcmp(left, right);
    while (order < -2000000000)
        ;
    return 0;
}

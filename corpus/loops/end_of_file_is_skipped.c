// The end of file comes again and again, and is taken for a blank.
#include <stdio.h>
int main(void) {
    int c;
    do {
        c = getchar();
    }
    while (c==' '||c=='\t'||c == EOF);
    return 0;
}

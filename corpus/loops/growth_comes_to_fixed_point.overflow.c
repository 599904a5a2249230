// Growth by sum and doubling comes round, and may stay below the bound.
#include <limits.h>
extern int nd(void);
int main(void) {
    int n = nd();
    int g = 0;
    while (g<n) {
        g = (g+16)*2;
    }
    return 0;
}

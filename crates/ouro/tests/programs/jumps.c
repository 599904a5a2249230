// goto in all directions, computed goto, loops left and continued from within.
#include <stdio.h>

static int collatz(unsigned n) {
    int steps = 0;
again:
    if (n == 1) goto done;
    steps++;
    if (n & 1) {
        n = 3 * n + 1;
        goto again;
    }
    n /= 2;
    goto again;
done:
    return steps;
}

static int interpret(const unsigned char *code) {
    static const void *const labels[] = {&&push, &&add, &&multiply, &&duplicate, &&jump_back, &&halt};
    int stack[16], top = 0, fuel = 3;
    const unsigned char *pc = code;
#define NEXT goto *labels[*pc++]
    NEXT;
push: stack[top++] = *pc++; NEXT;
add: top--; stack[top - 1] += stack[top]; NEXT;
multiply: top--; stack[top - 1] *= stack[top]; NEXT;
duplicate: stack[top] = stack[top - 1]; top++; NEXT;
jump_back: if (fuel-- > 0) pc -= *pc + 1; else pc++; NEXT;
halt: return stack[top - 1];
}

int main(void) {
    printf("%d %d\n", collatz(27), collatz(97));
    static const unsigned char code[] = {0, 3, 3, 2, 0, 1, 1, 4, 5, 5};
    printf("%d\n", interpret(code));
    int found = -1;
    for (int i = 0; i < 10; i++)
        for (int j = 0; j < 10; j++)
            if (i * j == 42) {
                found = 10 * i + j;
                goto out;
            }
out:
    printf("%d\n", found);
    int odd = 0, i = 0;
    do {
        if (i % 2 == 0) continue;
        odd += i;
        if (odd > 20) break;
    } while (++i, i < 100);
    printf("%d %d\n", odd, i);
    i = 0;
    goto inside;
    while (i < 5) {
        printf("%d ", i);
    inside:
        i++;
    }
    printf("\n");
    void *target = i > 3 ? &&big : &&small;
    goto *target;
small:
    return 1;
big:
    return 2;
}

/* A menu that asks at most ten times. */
#include <stdio.h>

int main(void)
{
    int choice, asked = 0, total = 0;
    do {
        printf("1) add 2) reset 0) quit: ");
        if (scanf("%d", &choice) != 1)
            return 1;
        switch (choice) {
        case 1:
            total += 1;
            break;
        case 2:
            total = 0;
            break;
        case 0:
            break;
        default:
            puts("?");
        }
    } while (choice != 0 && ++asked < 10);
    printf("%d\n", total);
    return 0;
}

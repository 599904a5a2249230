/* Ends unless there is no memory for the cell, and nobody promises that there is. */
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int value = getchar();
    int *cell = malloc(sizeof *cell);
    while (cell == NULL)
        ;
    *cell = value;
    free(cell);
    return 0;
}

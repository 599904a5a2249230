// Ends: the cabin comes one floor nearer to its target at every step, and there are five requests.
#include <stdio.h>

extern int __VERIFIER_nondet_int(void);

#define TOP 12

struct elevator {
    int floor;
    int moved;
    int doors_open;
};

static int clamp(int f)
{
    if (f < 0)
        return 0;
    return f > TOP ? TOP : f;
}

static void go_to(struct elevator *e, int target)
{
    e->doors_open = 0;
    while (e->floor != target) {
        if (e->floor < target)
            e->floor++;
        else
            e->floor--;
        e->moved++;
    }
    e->doors_open = 1;
}

int main(void)
{
    struct elevator e = {0, 0, 1};
    for (int i = 0; i < 5; i++)
        go_to(&e, clamp(__VERIFIER_nondet_int()));
    printf("moved %d floors\n", e.moved);
    return 0;
}

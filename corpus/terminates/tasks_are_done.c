#include <stdlib.h>

extern unsigned __VERIFIER_nondet_uint(void);

struct task {
    int open;
    struct task *next;
};

/* Each task is taken off the list, and none is put there. */
int main(void)
{
    struct task *tasks = NULL;
    for (unsigned n = __VERIFIER_nondet_uint(); n > 0; n--) {
        struct task *task = malloc(sizeof *task);
        task->open = 1;
        task->next = tasks;
        tasks = task;
    }
    while (tasks != NULL && tasks->open) {
        struct task *task = tasks;
        tasks = task->next;
        free(task);
    }
    return 0;
}

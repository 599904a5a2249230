#include <stdlib.h>

struct task {
    int open;
    struct task *next;
};

static struct task *tasks;

static void add(int open)
{
    struct task *task = malloc(sizeof *task);
    if (task == NULL)
        abort();
    task->open = open;
    task->next = tasks;
    tasks = task;
}

/* Each task that is open opens two more; it ends with one that is not. */
int main(void)
{
    add(1);
    add(1);
    while (tasks != NULL && tasks->open) {
        struct task *task = tasks;
        tasks = task->next;
        add(task->open);
        add(task->open);
        free(task);
    }
    return 0;
}

// Ends: an event may only raise events of a lower level, so each chain dies out.
#include <stdio.h>

extern unsigned int __VERIFIER_nondet_uint(void);

#define CAP 16u

struct queue {
    unsigned char level[CAP];
    unsigned head, size;
};

static void post(struct queue *q, unsigned level)
{
    if (q->size < CAP) {
        q->level[(q->head + q->size) % CAP] = (unsigned char)level;
        q->size++;
    }
}

static unsigned take(struct queue *q)
{
    unsigned l = q->level[q->head];
    q->head = (q->head + 1) % CAP;
    q->size--;
    return l;
}

static void handle(struct queue *q, unsigned level)
{
    if (level > 0) {
        post(q, level - 1);
        if (__VERIFIER_nondet_uint() & 1)
            post(q, level - 1);
    }
}

int main(void)
{
    struct queue q = { .head = 0, .size = 0 };
    int handled = 0;
    post(&q, __VERIFIER_nondet_uint() % 6);
    post(&q, 3);
    while (q.size > 0) {
        handle(&q, take(&q));
        handled++;
    }
    printf("%d\n", handled);
    return 0;
}

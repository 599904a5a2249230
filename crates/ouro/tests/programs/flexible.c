// Flexible array members, compound literals, offsetof and container_of, anonymous members.
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct message { unsigned short length; char text[]; };
struct link { struct link *next; };
struct task {
    int id;
    struct { short a, b; };
    union { int whole; char part; };
    struct link link;
};
#define container_of(p, type, member) ((type *)((char *)(p) - offsetof(type, member)))

static struct message *make(const char *text) {
    size_t n = strlen(text);
    struct message *m = malloc(sizeof *m + n + 1);
    m->length = (unsigned short)n;
    memcpy(m->text, text, n + 1);
    return m;
}

static int sum(const int *values, int count) { return count ? *values + sum(values + 1, count - 1) : 0; }
static struct task *latest(struct task *t) { return t; }

int main(void) {
    struct message *m = make("flexible");
    printf("%d %s %zu %zu\n", m->length, m->text, sizeof *m, offsetof(struct message, text));
    free(m);
    struct task tasks[3] = {{1, {2, 3}, {.part = 'x'}, {0}}, {.id = 4, .a = 5, .whole = 6}, {7}};
    for (int i = 0; i < 2; i++) tasks[i].link.next = &tasks[i + 1].link;
    for (struct link *l = &tasks[0].link; l; l = l->next) {
        struct task *t = container_of(l, struct task, link);
        printf("%d %d %d %d\n", t->id, t->a, t->b, t->whole);
    }
    printf("%d\n", sum((int[]){1, 2, 3, 4}, 4));
    struct task *t = latest(&(struct task){.id = 9, .b = 8});
    printf("%d %d\n", t->id, t->b);
    int *p = (int[3]){[1] = 5};
    p[2] = p[1] * 2;
    printf("%d %d %d\n", p[0], p[1], p[2]);
    for (int i = 0; i < 3; i++) {
        struct { int i, square; } s = {i, i * i};
        printf("%d ", (s = (__typeof__(s)){s.square, s.i}).i);
    }
    printf("%s\n", (char[]){"literal"} + 3);
    return 0;
}

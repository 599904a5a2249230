// malloc, calloc, realloc and free: structures with pointers that move, trees, hash tables.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct vector {
    int *items;
    size_t count, room;
};

static void push(struct vector *v, int x) {
    if (v->count == v->room) {
        v->room = v->room ? v->room * 2 : 1;
        v->items = realloc(v->items, v->room * sizeof *v->items);
        if (!v->items) exit(1);
    }
    v->items[v->count++] = x;
}

struct tree { struct tree *child[2]; int key; };

static struct tree *insert(struct tree *t, int key) {
    if (!t) {
        t = calloc(1, sizeof *t);
        t->key = key;
    } else if (key != t->key) {
        int side = key > t->key;
        t->child[side] = insert(t->child[side], key);
    }
    return t;
}

static int destroy(struct tree *t) {
    if (!t) return 0;
    int depth[2];
    for (int i = 0; i < 2; i++) depth[i] = destroy(t->child[i]);
    printf("%d ", t->key);
    free(t);
    return 1 + (depth[0] > depth[1] ? depth[0] : depth[1]);
}

struct entry { char *key; int value; struct entry *next; };
static struct entry *buckets[7];

static int *lookup(const char *key) {
    unsigned hash = 5381;
    for (const char *p = key; *p; p++) hash = hash * 33 + (unsigned char)*p;
    struct entry **at = &buckets[hash % 7];
    for (; *at; at = &(*at)->next) if (!strcmp((*at)->key, key)) return &(*at)->value;
    *at = malloc(sizeof **at);
    **at = (struct entry){strdup(key), 0, NULL};
    return &(*at)->value;
}

int main(void) {
    struct vector v = {0};
    for (int i = 0; i < 100; i++) push(&v, i * i);
    printf("%zu %zu %d\n", v.count, v.room, v.items[99]);
    free(v.items);
    struct tree *root = NULL;
    int keys[] = {50, 20, 70, 10, 30, 60, 80, 30, 65};
    for (unsigned i = 0; i < sizeof keys / sizeof *keys; i++) root = insert(root, keys[i]);
    printf("%d\n", destroy(root));
    const char *words[] = {"a", "b", "a", "long word", "b", "a"};
    for (int i = 0; i < 6; i++) ++*lookup(words[i]);
    printf("%d %d %d %d\n", *lookup("a"), *lookup("b"), *lookup("long word"), *lookup("none"));
    int *zeros = calloc(10, sizeof *zeros);
    zeros = realloc(zeros, 5 * sizeof *zeros);
    printf("%d %d\n", zeros[0], zeros[4]);
    free(zeros);
    free(NULL);
    char *grown = realloc(NULL, 4);
    strcpy(grown, "abc");
    grown = realloc(grown, 100);
    strcat(grown, "def");
    printf("%s\n", grown);
    free(grown);
    return 0;
}

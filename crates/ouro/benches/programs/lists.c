// Pointers and the heap: lists that are built, reversed, sorted into a tree and freed.
#include <stdio.h>
#include <stdlib.h>

struct node {
    int key;
    struct node *next, *left, *right;
};

static struct node *push(struct node *list, int key) {
    struct node *node = malloc(sizeof *node);
    if (!node) exit(1);
    node->key = key;
    node->next = list;
    node->left = node->right = NULL;
    return node;
}

static struct node *reverse(struct node *list) {
    struct node *done = NULL;
    while (list) {
        struct node *next = list->next;
        list->next = done;
        done = list;
        list = next;
    }
    return done;
}

static void insert(struct node **root, struct node *node) {
    while (*root) root = node->key < (*root)->key ? &(*root)->left : &(*root)->right;
    *root = node;
}

static long walk(const struct node *node, long sum) {
    if (!node) return sum;
    sum = walk(node->left, sum);
    return walk(node->right, sum * 31 % 1000003 + node->key);
}

int main(void) {
    long sum = 0;
    unsigned seed = 1;
    for (int round = 0; round < 40; round++) {
        struct node *list = NULL, *root = NULL;
        for (int i = 0; i < 1000; i++) {
            seed = seed * 1103515245u + 12345u;
            list = push(list, (int)(seed >> 16 & 0x7fff));
        }
        for (int i = 0; i < 20; i++) list = reverse(list);
        for (struct node *node = list; node; node = node->next) insert(&root, node);
        sum = walk(root, sum);
        while (list) {
            struct node *next = list->next;
            free(list);
            list = next;
        }
    }
    printf("%ld\n", sum);
    return 0;
}

#include <stdlib.h>

struct tree {
    struct tree *left;
    struct tree *right;
    int key;
};

int main(void)
{
    struct tree *root = calloc(1, sizeof *root), *child = calloc(1, sizeof *child);
    if (root == NULL || child == NULL)
        return 1;
    root->key = 5;
    child->key = 9;
    root->right = child;
    child->left = root;
    struct tree *p = root;
    while (p != NULL && p->key != 7)
        p = p->key < 7 ? p->right : p->left;
    return 0;
}

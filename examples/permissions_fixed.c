/* A two-level table of permissions. Each root entry covers 16 bytes, either directly or through a
 * leaf with one cell for each unit of 4 bytes. Setting the permission of a range splits it: whole
 * blocks are set at the root, the rest goes to leaves, and what a leaf could not take is set by
 * starting again from the root.
 *
 * The length is rounded up to whole units first, so nothing is left over at the end. */
#include <stdlib.h>

#define UNIT 4u
#define CELLS 4u
#define BLOCK (UNIT * CELLS)
#define ENTRIES 4u

struct leaf {
    unsigned char permission[CELLS];
};

struct root {
    unsigned char direct[ENTRIES];
    struct leaf *leaf[ENTRIES];
};

extern unsigned char __VERIFIER_nondet_uchar(void);

static struct root table;

static void set(struct root *root, unsigned base, unsigned length, unsigned char permission);

static void set_leaf(struct root *root, struct leaf *leaf, unsigned base, unsigned length,
                     unsigned char permission)
{
    unsigned cell = base % BLOCK / UNIT;
    while (length >= UNIT && cell < CELLS) {
        leaf->permission[cell] = permission;
        cell++;
        base += UNIT;
        length -= UNIT;
    }
    set(root, base, length, permission);
}

static void set(struct root *root, unsigned base, unsigned length, unsigned char permission)
{
    unsigned entry = base / BLOCK;
    if (length == 0 || entry >= ENTRIES)
        return;
    if (base % BLOCK == 0 && length >= BLOCK) {
        free(root->leaf[entry]);
        root->leaf[entry] = NULL;
        root->direct[entry] = permission;
        set(root, base + BLOCK, length - BLOCK, permission);
        return;
    }
    if (root->leaf[entry] == NULL) {
        root->leaf[entry] = calloc(1, sizeof(struct leaf));
        if (root->leaf[entry] == NULL)
            exit(1);
    }
    set_leaf(root, root->leaf[entry], base, length, permission);
}

int main(void)
{
    unsigned base = __VERIFIER_nondet_uchar() * UNIT;
    unsigned length = __VERIFIER_nondet_uchar();
    length = (length + UNIT - 1) / UNIT * UNIT;
    set(&table, base, length, 1);
    return 0;
}

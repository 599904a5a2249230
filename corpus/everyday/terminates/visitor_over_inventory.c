// Ends: the walk stops at the end of the array or as soon as a visitor says so; no visitor can move the index.
#include <stdbool.h>
#include <stdio.h>

extern int __VERIFIER_nondet_int(void);

struct item {
    int price;
    int count;
};

typedef bool (*visitor)(const struct item *it, void *ctx);

static void for_each(const struct item *items, int n, visitor v, void *ctx)
{
    for (int i = 0; i < n && v(&items[i], ctx); i++)
        ;
}

static bool add_value(const struct item *it, void *ctx)
{
    long *total = ctx;
    *total += (long)it->price * it->count;
    return true;
}

static bool find_empty(const struct item *it, void *ctx)
{
    const struct item **found = ctx;
    if (it->count == 0) {
        *found = it;
        return false;
    }
    return true;
}

int main(void)
{
    struct item stock[6];
    long total = 0;
    const struct item *empty = NULL;
    for (int i = 0; i < 6; i++) {
        stock[i].price = __VERIFIER_nondet_int() % 1000;
        stock[i].count = __VERIFIER_nondet_int() % 10;
    }
    for_each(stock, 6, add_value, &total);
    for_each(stock, 6, find_empty, &empty);
    printf("%ld %s\n", total, empty ? "reorder" : "fine");
    return 0;
}

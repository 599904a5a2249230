// Ends: the capacity counts down to the item's weight, which is positive.
extern int __VERIFIER_nondet_int(void);

#define ITEMS 8
#define CAPACITY 100

struct item {
    int weight, value;
};

static int best[CAPACITY + 1];

static int between(int lo, int hi)
{
    int x = __VERIFIER_nondet_int();
    return x < lo ? lo : x > hi ? hi : x;
}

static void consider(struct item it)
{
    for (int c = CAPACITY; c >= it.weight; c--) {
        int with = best[c - it.weight] + it.value;
        if (with > best[c])
            best[c] = with;
    }
}

int main(void)
{
    for (int i = 0; i < ITEMS; i++) {
        struct item it;
        it.weight = between(1, 50);
        it.value = between(0, 1000);
        consider(it);
    }
    return best[CAPACITY] > 0;
}

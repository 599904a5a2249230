// Ends: the jump is halved until it is zero, and each jump moves forward below n.
extern int __VERIFIER_nondet_int(void);

static int last_not_above(const int *a, int n, int key)
{
    int pos = -1;
    for (int jump = n; jump >= 1; jump /= 2) {
        while (pos + jump < n && a[pos + jump] <= key)
            pos += jump;
    }
    return pos;
}

int main(void)
{
    static const int table[] = {-90, -12, -3, 0, 4, 4, 9, 15, 70, 1000};
    int n = sizeof table / sizeof table[0];
    int key = __VERIFIER_nondet_int();
    return last_not_above(table, n, key) + 1;
}

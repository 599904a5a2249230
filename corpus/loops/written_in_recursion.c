// The recursion takes back what the loop counts.
extern int __VERIFIER_nondet_int(void);

static int done;

static void undo(int n)
{
    if (n > 0)
        undo(n - 1);
    else
        done = 0;
}

int main(void)
{
    int limit = __VERIFIER_nondet_int();
    while (done < limit) {
        done++;
        undo(limit);
    }
    return 0;
}

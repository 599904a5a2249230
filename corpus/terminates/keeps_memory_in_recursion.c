// The recursion reads the bound but writes nothing, so the loop's counter in memory stays what it is.
extern int __VERIFIER_nondet_int(void);

static int limit;
static int done;

static int depth(int n)
{
    if (n <= 0)
        return limit;
    return depth(n - 1);
}

int main(void)
{
    limit = __VERIFIER_nondet_int();
    while (done < limit) {
        depth(done);
        done++;
    }
    return 0;
}

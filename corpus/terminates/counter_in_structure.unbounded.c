extern int __VERIFIER_nondet_int(void);

struct range {
    int from, to;
};

static void shrink(struct range *r)
{
    r->from++;
    r->to--;
}

int main(void)
{
    struct range r = { __VERIFIER_nondet_int(), __VERIFIER_nondet_int() };
    while (r.from < r.to)
        shrink(&r);
    return 0;
}

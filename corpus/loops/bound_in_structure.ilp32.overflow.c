/* The bound and the counter lie in memory; long has 32 bits here. */
struct range { long next, last; };

extern long read_number(void);

int main(void)
{
    struct range range = {0, read_number()};
    struct range *p = &range;
    while (p->next <= p->last)
        p->next++;
    return 0;
}

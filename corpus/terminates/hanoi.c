/* The towers of Hanoi. */
extern int __VERIFIER_nondet_int(void);
extern void move(int from, int to);
static void hanoi(int n, int from, int to, int via)
{
    if (n <= 0)
        return;
    hanoi(n - 1, from, via, to);
    move(from, to);
    hanoi(n - 1, via, to, from);
}
int main(void)
{
    hanoi(__VERIFIER_nondet_int() % 10, 1, 3, 2);
    return 0;
}

/* A queue in an array: each cell enters it at most once. */
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    int queue[100], head = 0, tail = 0;
    queue[tail++] = 0;
    while (head < tail) {
        int at = queue[head++];
        for (int k = 0; k < 4; k++)
            if (tail < 100 && __VERIFIER_nondet_int())
                queue[tail++] = at + k;
    }
    return head;
}

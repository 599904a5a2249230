/* A ring is emptied. */
extern unsigned __VERIFIER_nondet_uint(void);
int main(void)
{
    int ring[16];
    unsigned head = 0, count = __VERIFIER_nondet_uint() % 17;
    for (int i = 0; i < 16; i++)
        ring[i] = i;
    int sum = 0;
    while (count > 0) {
        sum += ring[head];
        head = (head + 1) & 15;
        count--;
    }
    return sum;
}

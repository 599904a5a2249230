// Ends: every call gets an interval that is strictly shorter.
extern int __VERIFIER_nondet_int(void);

static int squares[100];

static int search(int key, int from, int to)
{
    if (from >= to)
        return -1;
    int mid = (from + to) / 2;
    if (squares[mid] > key)
        return search(key, from, mid);
    if (squares[mid] < key)
        return search(key, mid + 1, to);
    return mid;
}

static void fill(void)
{
    for (int i = 0; i < 100; i++)
        squares[i] = i * i;
}

int main(void)
{
    fill();
    int total = 0;
    for (int k = 0; k < 5; k++)
        if (search(__VERIFIER_nondet_int(), 0, 100) >= 0)
            total++;
    return total;
}

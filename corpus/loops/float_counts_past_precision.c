/* A float counts to twenty million, and stays at 2^24. */
int main(void)
{
    float f = 16777000.0f;
    int n = 0;
    while (f < 20000000.0f) {
        f += 1.0f;
        n ^= 1;
    }
    return n;
}

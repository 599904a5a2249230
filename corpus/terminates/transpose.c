/* A matrix becomes its transpose. */
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    int m[6][4], t[4][6];
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 4; j++)
            m[i][j] = __VERIFIER_nondet_int();
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 4; j++)
            t[j][i] = m[i][j];
    return t[0][0];
}

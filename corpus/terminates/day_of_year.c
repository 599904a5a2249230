/* Months are taken off. */
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    static const int days[12] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };
    int day = __VERIFIER_nondet_int(), month = 0;
    if (day < 1 || day > 365)
        return 1;
    while (month < 12 && day > days[month])
        day -= days[month++];
    return month;
}

/* A forward analysis for recurrent sets, Example 2: the last day of a leap year.
   truth: c loops, wrap loops, unbounded loops */
extern int __VERIFIER_nondet_int(void);
static int leap(int year) { return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0; }

int main(void)
{
    int days = __VERIFIER_nondet_int(), year;
    if (days < 0)
        return 0;
    year = 1980;
    while (days > 365) {
        if (leap(year)) {
            if (days > 366) {
                days = days - 366;
                year = year + 1;
            }
        } else {
            days = days - 365;
            year = year + 1;
        }
    }
    return 0;
}

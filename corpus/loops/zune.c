/* On the last day of a leap year nothing changes. */
extern int __VERIFIER_nondet_int(void);
static int is_leap(int y) { return (y % 4 == 0 && y % 100 != 0) || y % 400 == 0; }
int main(void)
{
    int days = __VERIFIER_nondet_int(), year = 1980;
    while (days > 365) {
        if (is_leap(year)) {
            if (days > 366) {
                days -= 366;
                year++;
            }
        } else {
            days -= 365;
            year++;
        }
    }
    return year;
}

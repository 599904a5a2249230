/* The last day of a leap year ends the search. */
extern int __VERIFIER_nondet_int(void);

/* Right from 1901 to 2099. */
static int is_leap(int year)
{
    return year % 4 == 0;
}

int main(void)
{
    int days = __VERIFIER_nondet_int();
    int year = 1980;
    while (days > 365) {
        if (is_leap(year)) {
            if (days == 366)
                break;
            days -= 366;
            year += 1;
        } else {
            days -= 365;
            year += 1;
        }
    }
    return year;
}

/* The last day of a leap year ends the search. */
extern int __VERIFIER_nondet_int(void);

static int is_leap(int year)
{
    return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
}

int main(void)
{
    int days = __VERIFIER_nondet_int();
    int year = 1980;
    while (days > 365) {
        int length = is_leap(year) ? 366 : 365;
        if (days <= length)
            break;
        days -= length;
        year += 1;
    }
    return year;
}

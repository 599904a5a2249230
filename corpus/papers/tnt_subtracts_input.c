/* TNT, Section 2: subtracts a negative number. With numbers that wrap around it comes below zero for any y.
   truth: c overflow, wrap terminates, unbounded loops */
extern int __VERIFIER_nondet_int(void);
#define input() __VERIFIER_nondet_int()

static void loop(void)
{
    int i, y;
    i = input(); y = input();
    if (y != 0)
        while (i >= 0) { i = i - y; }
}

int main(void)
{
    loop();
    return 0;
}

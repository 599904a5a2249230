/* Retries until it works: nobody says that it ever does. */
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    int result;
    do {
        result = __VERIFIER_nondet_int();
    } while (result != 0);
    return 0;
}

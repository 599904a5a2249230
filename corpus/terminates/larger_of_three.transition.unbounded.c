/* Three numbers change places: between any two iterations one of them, or the sum of two, gets smaller, and
   none of these does with every turn. */
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int x = __VERIFIER_nondet_int();
    int y = __VERIFIER_nondet_int();
    int z = __VERIFIER_nondet_int();
    while (x > 0 && y > 0 && z > 0) {
        int before = x;
        switch (__VERIFIER_nondet_int()) {
        case 0:
            x = before - 1;
            y = before;
            z = before;
            break;
        case 1:
            x = y - 2;
            y = before + 1;
            break;
        default:
            x = z - 3;
            y = before + 1;
            z = before + 1;
        }
    }
    return 0;
}

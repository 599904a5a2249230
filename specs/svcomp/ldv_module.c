// A reference to a module: put, unless the input is 1 (forgotten) or 2 (put twice).
int ldv_try_module_get(void *module) { return 1; }
void ldv_module_put(void *module) {}

extern int input(void);

int main(void) {
    if (!ldv_try_module_get(0)) return 1;
    switch (input()) {
    case 1:
        return 0;
    case 2:
        ldv_module_put(0);
        break;
    }
    ldv_module_put(0);
    return 0;
}

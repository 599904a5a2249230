// A reference to a module: put, unless the input is 1 (forgotten) or 2 (put twice).
struct module;
extern int try_module_get(struct module *module);
extern void module_put(struct module *module);

extern int input(void);

int main(void) {
    if (!try_module_get(0)) return 1;
    switch (input()) {
    case 1:
        return 0;
    case 2:
        module_put(0);
        break;
    }
    module_put(0);
    return 0;
}

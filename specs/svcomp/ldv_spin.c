// A spin lock: given back, unless the input is 1 (forgotten) or 2 (taken twice).
void ldv_spin_lock(void) {}
void ldv_spin_unlock(void) {}

extern int input(void);

int main(void) {
    ldv_spin_lock();
    switch (input()) {
    case 1:
        return 0;
    case 2:
        ldv_spin_lock();
        break;
    }
    ldv_spin_unlock();
    return 0;
}

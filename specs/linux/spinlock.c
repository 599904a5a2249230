// A spin lock: given back, unless the input is 1 (forgotten) or 2 (taken twice).
typedef struct { int raw; } raw_spinlock_t;
extern void _raw_spin_lock(raw_spinlock_t *lock);
extern void _raw_spin_unlock(raw_spinlock_t *lock);

static raw_spinlock_t lock;
extern int input(void);

int main(void) {
    _raw_spin_lock(&lock);
    switch (input()) {
    case 1:
        return 0;
    case 2:
        _raw_spin_lock(&lock);
        break;
    }
    _raw_spin_unlock(&lock);
    return 0;
}

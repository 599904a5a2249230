// A mutex: given back, unless the input is 1 (forgotten) or 2 (taken twice).
struct mutex { int count; };
void mutex_lock(struct mutex *lock) {}
int mutex_lock_interruptible(struct mutex *lock) { return 0; }
void mutex_unlock(struct mutex *lock) {}

static struct mutex mutex;
extern int input(void);

int main(void) {
    if (mutex_lock_interruptible(&mutex)) return 1;
    switch (input()) {
    case 1:
        return 0;
    case 2:
        mutex_lock(&mutex);
        break;
    }
    mutex_unlock(&mutex);
    return 0;
}

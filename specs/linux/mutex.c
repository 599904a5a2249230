// A mutex: given back, unless the input is 1 (forgotten) or 2 (taken twice).
struct mutex { int count; };
extern void mutex_lock(struct mutex *lock);
extern void mutex_unlock(struct mutex *lock);

static struct mutex mutex;
extern int input(void);

int main(void) {
    mutex_lock(&mutex);
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

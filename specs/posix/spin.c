// A spin lock: given back, unless the input is 1 (forgotten) or 2 (taken twice).
#include <pthread.h>

static pthread_spinlock_t lock;
extern int input(void);

int main(void) {
    if (pthread_spin_lock(&lock) != 0) return 1;
    switch (input()) {
    case 1:
        return 0;
    case 2:
        pthread_spin_lock(&lock);
        break;
    }
    pthread_spin_unlock(&lock);
    return 0;
}

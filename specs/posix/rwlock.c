// A read-write lock: given back, unless the input is 1 (forgotten) or 2 (taken twice).
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
extern int input(void);

int main(void) {
    if (pthread_rwlock_rdlock(&lock) != 0) return 1;
    switch (input()) {
    case 1:
        return 0;
    case 2:
        pthread_rwlock_wrlock(&lock);
        break;
    }
    pthread_rwlock_unlock(&lock);
    return 0;
}

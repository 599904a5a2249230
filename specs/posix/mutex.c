// A mutex: given back, unless the input is 1 (forgotten) or 2 (taken twice).
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
extern int input(void);

int main(void) {
    if (pthread_mutex_lock(&mutex) != 0) return 1;
    switch (input()) {
    case 1:
        return 0;
    case 2:
        pthread_mutex_lock(&mutex);
        break;
    }
    pthread_mutex_unlock(&mutex);
    return 0;
}

// Ends: a connection is tried at most five times.
#include <stdbool.h>
#include <stdio.h>

extern int __VERIFIER_nondet_int(void);

enum { MAX_ATTEMPTS = 5 };

static int try_connect(void)
{
    return __VERIFIER_nondet_int();
}

static bool connect_with_retry(int *attempts)
{
    bool connected = false;
    *attempts = 0;
    while (!connected) {
        int rc = try_connect();
        ++*attempts;
        if (rc == 0) {
            connected = true;
        } else if (rc < 0 || *attempts >= MAX_ATTEMPTS) {
            fprintf(stderr, "giving up with code %d\n", rc);
            break;
        }
    }
    return connected;
}

int main(void)
{
    int n;
    bool ok = connect_with_retry(&n);
    printf("%s after %d\n", ok ? "up" : "down", n);
    return ok ? 0 : 1;
}

/* curl 7.34.0 to 7.83.0 with NSS (CVE-2022-27781, mended in commit 5c7da89d): the chain of a server's certificates is
 * followed from each to its issuer, and the server decides who that is. Rebuilt in small, with the same mistake:
 * that a certificate is its own issuer was thought of, a ring of two was not. */
#include <stddef.h>
extern int read_issuer(void);

struct certificate {
    struct certificate *issuer;
};

static struct certificate server, other;

static struct certificate *read_certificate(void) {
    switch (read_issuer()) {
    case 0: return &server;
    case 1: return &other;
    default: return NULL;
    }
}

int main(void) {
    server.issuer = read_certificate();
    other.issuer = read_certificate();
    struct certificate *now = &server;
    while (now != NULL) {
        if (now->issuer == now)
            break;
        now = now->issuer;
    }
    return 0;
}

/* curl 7.34.0 to 7.83.0 with NSS (CVE-2022-27781, mended in commit 5c7da89d): the chain of a server's certificates is
 * followed from each to its issuer, and the server decides who that is. Rebuilt in small, with the same mistake:
 * that a certificate is its own issuer was thought of, a ring of two was not. */
#include <stddef.h>
#define SENT 3
extern unsigned read_issuer(void);

struct certificate {
    struct certificate *issuer;
    int is_root;
};

int main(void) {
    static struct certificate sent[SENT];
    for (unsigned i = 0; i < SENT; i++) {
        unsigned issuer = read_issuer();
        sent[i].issuer = issuer < SENT ? &sent[issuer] : NULL;
        sent[i].is_root = i == SENT - 1;
    }
    unsigned count = 0;
    struct certificate *now = &sent[0];
    while (now != NULL && !now->is_root) {
        if (now->issuer == now)
            break;
        now = now->issuer;
        count++;
    }
    return count > SENT;
}

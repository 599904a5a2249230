/* The same as curl_certinfo.c, mended as in curl: no chain is that long. */
#include <stddef.h>
#define SENT 3
#define MOST 300
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
        if (++count >= MOST)
            return 2;
    }
    return count > SENT;
}

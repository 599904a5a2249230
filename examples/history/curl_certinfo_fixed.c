/* The same as curl_certinfo.c, mended as in curl: no chain is that long. */
#include <stddef.h>
#define MOST 300
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
    unsigned count = 0;
    struct certificate *now = &server;
    while (now != NULL) {
        if (now->issuer == now)
            break;
        now = now->issuer;
        if (++count >= MOST)
            return 2;
    }
    return count > 2;
}

#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct buffer {
    struct buffer *next;
    int length;
};

/* For each buffer that is sent, two arrive. */
int main(void)
{
    struct buffer *waiting = NULL;
    do {
        for (int i = 0; i < 2; i++) {
            struct buffer *buffer = malloc(sizeof *buffer);
            buffer->length = __VERIFIER_nondet_int();
            buffer->next = waiting;
            waiting = buffer;
        }
        struct buffer *sent = waiting;
        waiting = sent->next;
        free(sent);
    } while (waiting != NULL);
    return 0;
}

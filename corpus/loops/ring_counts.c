// Two nodes in a ring, each with a counter that wraps.
#include <stdlib.h>
struct node { struct node *next; unsigned v; };
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
  struct node *a = malloc(sizeof *a), *b = malloc(sizeof *b);
  if (!a || !b) return 0;
  a->next = b; b->next = a; a->v = b->v = __VERIFIER_nondet_uint();
  struct node *p = a;
  while (p) {
    p->v += 3;
    if (p->v == 5) p->v = 6;
    p = p->next;
  }
  return 0;
}

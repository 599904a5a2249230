#include <stdlib.h>
extern unsigned __VERIFIER_nondet_uint(void);
struct node { struct node *next; };
int main(void) {
  struct node *list = NULL;
  for (unsigned i = 0, n = __VERIFIER_nondet_uint(); i < n; i++) {
    struct node *node = malloc(sizeof *node);
    node->next = list;
    list = node;
  }
  for (struct node *p = list; p != NULL; p = p->next)
    ;
  return 0;
}

// <search.h>: searching in arrays and small trees, and lists that are linked both ways.
//
// How a tree is balanced is nobody's promise. One that needs no balancing looks the same everywhere; what
// goes beyond that is a limit. Hash tables (`hsearch`) are not here.
#include "ouro.h"

typedef int ouro_order(const void *, const void *);

static void *ouro_find(const void *key, const void *elements, const size_t *count, size_t size,
                       ouro_order *compare) {
  const char *element = elements;
  for (size_t i = 0; i < *count; i++) {
    if (compare(key, element) == 0)
      return (void *)element;
    element += size;
  }
  return 0;
}

// audit: lfind: fails no; short no; interrupted no; stores no; calls back yes
void *lfind(const void *key, const void *elements, size_t *count, size_t size,
            ouro_order *compare) {
  return ouro_find(key, elements, count, size, compare);
}

// audit: lsearch: fails no; short no; interrupted no; stores the element, the count; calls back yes
void *lsearch(const void *key, void *elements, size_t *count, size_t size, ouro_order *compare) {
  void *found = ouro_find(key, elements, count, size, compare);
  if (found != 0)
    return found;
  char *end = (char *)elements + *count * size;
  __builtin_memcpy(end, key, size);
  *count += 1;
  return end;
}

struct ouro_element {
  struct ouro_element *next;
  struct ouro_element *previous;
};

// audit: insque, remque: fails no; short no; interrupted no; stores the links; calls back no
void insque(void *inserted, void *before) {
  struct ouro_element *element = inserted;
  struct ouro_element *previous = before;
  element->previous = previous;
  element->next = 0;
  if (previous == 0)
    return;
  struct ouro_element *next = previous->next;
  previous->next = element;
  element->next = next;
  if (next != 0)
    next->previous = element;
}

void remque(void *removed) {
  struct ouro_element *element = removed;
  struct ouro_element *next = element->next;
  struct ouro_element *previous = element->previous;
  if (next != 0)
    next->previous = previous;
  if (previous != 0)
    previous->next = next;
}

// The program sees the key, which is first.
struct ouro_node {
  const void *key;
  struct ouro_node *less;
  struct ouro_node *more;
};

// Where a key is, or where its node would be; `above` is the node around it.
static struct ouro_node **ouro_place(const void *key, struct ouro_node **root, ouro_order *compare,
                                     struct ouro_node **above) {
  struct ouro_node **place = root;
  *above = 0;
  while (*place != 0) {
    int order = compare(key, (*place)->key);
    if (order == 0)
      break;
    *above = *place;
    place = order < 0 ? &(*place)->less : &(*place)->more;
  }
  return place;
}

// audit: tfind: fails no; short no; interrupted no; stores no; calls back yes
void *tfind(const void *key, void *const *root, ouro_order *compare) {
  struct ouro_node *above;
  if (root == 0)
    return 0;
  return *ouro_place(key, (struct ouro_node **)root, compare, &above);
}

// audit: tsearch: fails yes; short no; interrupted no; stores the tree; calls back yes
void *tsearch(const void *key, void **root, ouro_order *compare) {
  struct ouro_node *above;
  if (root == 0)
    return 0;
  struct ouro_node **place = ouro_place(key, (struct ouro_node **)root, compare, &above);
  if (*place != 0)
    return *place;
  if (above != 0 && above != *root)
    __ouro_limit("tsearch: a tree that has to be balanced");
  if (__ouro_no_memory("tsearch", 0))
    return 0;
  struct ouro_node *made = __ouro_allocate(sizeof *made);
  *made = (struct ouro_node){key, 0, 0};
  *place = made;
  return made;
}

// audit: tdelete: fails no; short no; interrupted no; stores the tree; calls back yes
void *tdelete(const void *key, void **root, ouro_order *compare) {
  struct ouro_node *above;
  if (root == 0)
    return 0;
  struct ouro_node **place = ouro_place(key, (struct ouro_node **)root, compare, &above);
  struct ouro_node *found = *place;
  if (found == 0)
    return 0;
  if (above == 0 || found->less != 0 || found->more != 0)
    __ouro_limit("tdelete: a node that others hang from");
  *place = 0;
  __ouro_free(found);
  return above;
}

typedef void ouro_visit(const void *, int, int);

// Before, between and after its subtrees, or as a leaf: 0, 1, 2 and 3.
static void ouro_walk(const struct ouro_node *node, ouro_visit *visit, int depth) {
  if (node->less == 0 && node->more == 0) {
    visit(node, 3, depth);
    return;
  }
  visit(node, 0, depth);
  if (node->less != 0)
    ouro_walk(node->less, visit, depth + 1);
  visit(node, 1, depth);
  if (node->more != 0)
    ouro_walk(node->more, visit, depth + 1);
  visit(node, 2, depth);
}

// audit: twalk: fails no; short no; interrupted no; stores no; calls back yes
void twalk(const void *root, ouro_visit *visit) {
  if (root != 0 && visit != 0)
    ouro_walk(root, visit, 0);
}

static void ouro_destroy(struct ouro_node *node, void (*release)(void *)) {
  if (node->less != 0)
    ouro_destroy(node->less, release);
  if (node->more != 0)
    ouro_destroy(node->more, release);
  release((void *)node->key);
  __ouro_free(node);
}

// audit: tdestroy: fails no; short no; interrupted no; stores the tree; calls back yes
void tdestroy(void *root, void (*release)(void *)) {
  if (root != 0)
    ouro_destroy(root, release);
}

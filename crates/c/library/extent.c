// How far inputs reach, if the user has said that they end. Otherwise nothing here does anything.
//
// An input has finitely many bytes, and then its end or one error, each time that it is read: that is what
// `ouro_finish` sees to. Going back in a file makes its bytes be there again.
#include "ouro.h"

void ouro_consume(struct ouro_extent *extent, long long count) {
  if (!__ouro_input_ends())
    return;
  __ouro_assume(extent->left >= count);
  extent->left -= count;
}

void ouro_has_more(const struct ouro_extent *extent) {
  if (__ouro_input_ends())
    __ouro_assume(extent->left > 0);
}

int ouro_finish(struct ouro_extent *extent, int is_end) {
  if (!__ouro_input_ends())
    return is_end;
  extent->left = 0;
  if (extent->after == 0)
    extent->after = is_end ? 1 : 2;
  return extent->after == 1;
}

int ouro_is_over(const struct ouro_extent *extent) {
  return __ouro_input_ends() && extent->after != 0;
}

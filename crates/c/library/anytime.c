// What earlier calls may have left behind, where the question is about a function that is called at any
// time. `ouro_any_time_NAME` gives the object NAME of this library any value that a program can have
// brought it to. Objects without such a function and that the front end does not know to be general from
// the start hold nobody knows what.
#include "ouro.h"

static void ouro_any_stream(FILE *stream, int end, int error, int pushed) {
  stream->end = end;
  stream->error = error;
  stream->pushed = ouro_within(pushed, 0, 256);
}

void ouro_any_time_ouro_stdin(void) {
  ouro_any_stream(stdin, __ouro_choice_bool("feof(stdin)"), __ouro_choice_bool("ferror(stdin)"),
                  __ouro_choice_int("ungetc(stdin)"));
  // What is pushed back clears the end.
  __ouro_assume((stdin->end & (stdin->pushed != 0)) == 0);
}

void ouro_any_time_ouro_stdout(void) {
  ouro_any_stream(stdout, 0, __ouro_choice_bool("ferror(stdout)"), 0);
}

void ouro_any_time_ouro_stderr(void) {
  ouro_any_stream(stderr, 0, __ouro_choice_bool("ferror(stderr)"), 0);
}

void ouro_any_time_ouro_stdout_unflushed(void) {
  ouro_stdout_unflushed = 1;
}

void ouro_any_time_ouro_closed(void) {
  ouro_closed[0] = __ouro_choice_bool("close(0)");
  ouro_closed[1] = __ouro_choice_bool("close(1)");
  ouro_closed[2] = __ouro_choice_bool("close(2)");
}

// Where it was called before, calling it again is undefined: such a run does nothing new.
void ouro_any_time_ouro_is_exiting(void) {
  ouro_is_exiting = 0;
}

void ouro_any_time_ouro_errno(void) {
  ouro_errno = __ouro_choice_int("errno");
}

// What the files of this library share: the primitives that the front end translates itself, and a
// few helpers.
//
// Rules of the library:
// - It is compiled with clang for the target of the checked program, as freestanding C: no system
//   header but the four below, so that it means the same everywhere.
// - No function calls another by its public name: the program may define that name with another
//   meaning. What is shared is called `ouro_…`.
// - A loop is a proof obligation and a branch is a fork of the symbolic execution: both are kept few
//   and plain.
#ifndef OURO_H
#define OURO_H

#include <limits.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

// Memory. A new heap object has no initial content and is aligned for any type; allocating never
// fails. `__ouro_object_size` counts the bytes from the pointer to the end of its object.
void *__ouro_allocate(size_t size);
void __ouro_free(void *pointer);
size_t __ouro_object_size(const void *pointer);

// Undefined if what is written and what it is written from share a byte.
void __ouro_apart(const void *to, size_t room, const void *from, size_t size);

// Output to stream 1 or 2; to another number it goes nowhere. `__ouro_print` is `vprintf`, and gives
// up the run at `%n`; `__ouro_format` is `vsnprintf`.
int __ouro_print(int stream, const char *format, va_list arguments);
int __ouro_format(char *buffer, size_t size, const char *format, va_list arguments);
void __ouro_write(int stream, const void *bytes, size_t size);

// Values that the environment of the program decides; `name` is the function the program called. It
// has to be a literal, and so has the text of the ends below: helpers get the value, not the name.
char __ouro_choice_char(const char *name);
unsigned char __ouro_choice_uchar(const char *name);
short __ouro_choice_short(const char *name);
unsigned short __ouro_choice_ushort(const char *name);
int __ouro_choice_int(const char *name);
unsigned int __ouro_choice_uint(const char *name);
long __ouro_choice_long(const char *name);
unsigned long __ouro_choice_ulong(const char *name);
long long __ouro_choice_longlong(const char *name);
unsigned long long __ouro_choice_ulonglong(const char *name);
_Bool __ouro_choice_bool(const char *name);
float __ouro_choice_float(const char *name);
double __ouro_choice_double(const char *name);
void *__ouro_choice_pointer(const char *name);
size_t __ouro_choice_size(const char *name);

// Values that the model does not know: a proof that the program ends, or never does, has to be right
// for each of them. `why` has to be a literal, too.
_Bool __ouro_unknown_bool(const char *why);
unsigned char __ouro_unknown_uchar(const char *why);
unsigned int __ouro_unknown_uint(const char *why);
unsigned long __ouro_unknown_ulong(const char *why);

// Names something that is taken for granted wherever the program can call the function that says so.
void __ouro_assumption(const char *what);

// Whether a comparison that the program defines only compares: it ends, writes nothing that outlives
// it, reads nothing but memory, and calls nothing that does.
_Bool __ouro_only_compares(const void *function);

// Whether the function that the program called finds no memory: of the environment's choice, unless
// the user has said that allocations succeed. `too_large` holds for what no machine can give; those
// must go on failing then, since a run that is only assumed away would take its endless loop with
// it.
_Bool __ouro_no_memory(const char *name, _Bool too_large);

// Whether output fails: of the environment's choice. `name` is the function that the program called, or
// says in more than one word what else decides. A run on which nobody is asked has output that works.
_Bool __ouro_output_fails(const char *name);

// Values that we do not know: a run that never ends may not rest on them.
_Bool __ouro_unknown_bool(const char *why);
int __ouro_unknown_int(const char *why);
size_t __ouro_unknown_size(const char *why);

// What the caller of the function that asks does with its result, as far as its code shows it: nothing;
// it only stores to the address; anything but loading from the address and storing to it. Through a
// pointer, a function is called for anything.
_Bool __ouro_result_unused(void);
_Bool __ouro_result_stored(void);
_Bool __ouro_result_kept(void);

// Whether the user has said that inputs end: every file and stream has finitely many bytes, and then its
// end or the same error forever.
int __ouro_input_ends(void);

// A run on which the condition is zero does not exist.
void __ouro_assume(int condition);

// The ends of a run: it stops, it is aborted, the model does not cover what comes next, or the
// program has undefined behaviour.
_Noreturn void __ouro_exit(int status);
_Noreturn void __ouro_abort(const char *why);
_Noreturn void __ouro_limit(const char *what);
_Noreturn void __ouro_undefined(const char *what);

// Runs the destructors of global objects.
void __ouro_destructors(void);

// errno.c: the object behind `errno`, and the numbers that the library itself stores there.
extern int ouro_errno;
#define OURO_ENOENT 2
#define OURO_EINTR 4
#define OURO_EIO 5
#define OURO_EBADF 9
#define OURO_EAGAIN 11
#define OURO_ENOMEM 12
#define OURO_EFAULT 14
#define OURO_EINVAL 22
#define OURO_EDOM 33
#define OURO_ERANGE 34

// Sets `errno` to this number if the condition, 0 or 1, holds; without a branch.
void ouro_fail_if(int condition, int number);

// Sets `errno` to an error number of the environment's choice. No real run is interrupted forever, so a run
// that never ends may not rest on that.
void ouro_fail(void);
void ouro_fail_with(int chosen);

// Notes that output may have failed whose result nobody looks at. What became of it is chosen when
// somebody looks: at `errno` here, at `ferror` in stdio.c. So the library stores into `errno` only, and
// what is stored comes after the output.
void ouro_output_unseen(void);
extern int ouro_errno_is_open; // what of that is still to be chosen
#define ouro_errno (*(ouro_errno_is_open = 0, &ouro_errno))

// A result of the environment's choice: 0, or -1 with `errno` set.
int ouro_result(int chosen);
#define OURO_RESULT(name) ouro_result(__ouro_choice_int(name))

// What C or POSIX allow and no system that we know of does, such as a clock that fails: a program that
// ends has to survive it, and no run that never ends may rest on it (it might as well stop here).
void ouro_tolerate(int happens);

// A text of which nobody knows what is in it, of at most `size` - 1 characters.
void ouro_write_unknown(char *text, size_t size);

// A choice between two bounds, both included.
int ouro_within(int chosen, int least, int greatest);
#define OURO_CHOOSE(name, least, greatest) ouro_within(__ouro_choice_int(name), least, greatest)

// How far an input reaches from where it is now, if inputs end. No file is as long as to have more bytes
// than `left` begins with; what comes after the last one is noted when it first shows.
struct ouro_extent {
  long long left; // signed: proofs about those are easier
  int after; // 0: it has not shown yet; 1: the end; 2: an error
  int error; // the number of that error
};
#define OURO_UNREAD {LLONG_MAX, 0, 0}

// extent.c: `count` bytes are read; there is at least one to read; there is none any more, and whether that
// is the end or an error.
void ouro_consume(struct ouro_extent *extent, long long count);
void ouro_has_more(const struct ouro_extent *extent);
int ouro_finish(struct ouro_extent *extent, int is_end);

// Whether a read finds nothing, since it is known that nothing is left.
int ouro_is_over(const struct ouro_extent *extent);

// An open stream; C lets the program see only its address. glibc's header shows more, and a program that
// looks there finds addresses, of which nobody knows anything: that is what `shown` is full of. The size is
// that of glibc, and what is ours is where it has what no program reads.
#define OURO_SHOWN (sizeof(long) == 8 ? 17 : 18)
typedef struct ouro_stream {
  const char *shown[OURO_SHOWN];
  int descriptor; // 0, 1, 2: the standard streams; 3: a file the program opened
  int end;        // what `feof` returns
  int error;      // what `ferror` returns
  int pushed;     // one more than the character given to `ungetc`, 0 if none
  int next;       // what `scanf` has seen of the next character: some of the following
  int written;    // whether the program wrote to the file
  int unwritable; // whether it was opened for reading only
  int unreadable; // whether it was opened for writing only
  int unseen;     // whether output may have failed without anybody having looked
  int unflushed;  // whether output may be in the buffer
  int unbuffered; // whether the program said that there is no buffer
  int number;     // what `fileno` returns of a file the program opened; 0: nobody asked yet
  int seekable;   // 1: it has positions; 2: it has none; 0: nobody asked yet
  int located;    // whether `position` is where the stream is: one of the following
  long position;
  struct ouro_extent extent; // if inputs end: how far this one reaches
} FILE;
_Static_assert(sizeof(FILE) == (sizeof(long) == 8 ? 216 : 148), "a stream is as large as glibc's");
#define OURO_MOVED 0     // no: nobody counts what is read and written
#define OURO_LOCATED 1   // yes
#define OURO_SOMEWHERE 2 // no: where the environment says, such as the end of the file
#define OURO_NO_OCTAL 1 // not 0 to 7
#define OURO_NO_DIGIT 17
#define OURO_NO_HEX 32 // none of the letters that are hexadecimal digits
#define OURO_SEEN 64   // seen, whatever it is: the end may have shown
#define OURO_NO_SPACE 2
#define OURO_SPACE 4  // white space or the end
#define OURO_NO_END 8 // not the end

extern const char *const ouro_hidden[OURO_SHOWN]; // what a stream shows
extern FILE *stdin;
extern FILE *stdout;
extern FILE *stderr;

// print.c: the same as `unseen` and `unflushed` of `stdout`, for functions that print there and nowhere
// else: they write no object that others know.
extern int ouro_stdout_unseen;
extern int ouro_stdout_unflushed;

// unistd.c: a file was opened, or gone back in: its bytes are there to be read.
void ouro_unread(int descriptor);

// descriptor.c: a descriptor that the program opened.
struct ouro_descriptor {
  int number;
  int is_open;
  int access;  // 0: for reading; 1: for writing; 2: both
  int located; // whether `position` is where it is in its file
  long position;
  struct ouro_descriptor *next;
};
struct ouro_descriptor *ouro_find_descriptor(int number);

// Whether a call fails for sure, since the descriptor is not open, or not for this access; -1 is any.
int ouro_refuses(int number, int access);

// A new descriptor; the number of a stream that the program asks for; the end of one, 0 if a stream had it
// and nobody asked for its number; one that reads or writes.
int ouro_give_descriptor(int chosen, int access);
int ouro_number_stream(int chosen, int access);
void ouro_close_descriptor(int number);
void ouro_move_descriptor(int number);

// A stream was opened on a descriptor whose number nobody asked for yet.
void ouro_count_stream(void);

// unistd.c: which of the descriptors 0 to 2 the program has closed.
extern int ouro_closed[3];

// Gives up the run if a new descriptor would take the place of a standard one.
void ouro_check_standard_open(void);
#define EOF (-1)

// stdio.c: the next character of a stream, 0 to 255, or EOF. It is known if it was pushed back or if
// the stream is at its end; otherwise it is chosen.
int ouro_is_known(FILE *stream);
int ouro_known(FILE *stream);
int ouro_accept(FILE *stream, int chosen);
#define OURO_NEXT(stream, name)                                                                    \
  (ouro_is_known(stream) ? ouro_known(stream) : ouro_accept(stream, __ouro_choice_int(name)))

// Assumes of the next character what `scanf` has seen of it.
void ouro_follow(FILE *stream, int character);

// Notes that a stream has ended or failed, as the environment decides.
void ouro_stop(FILE *stream);

// Forgets that it has, as `clearerr` does.
void ouro_clear_error(FILE *stream);

// Notes that the stream moves on; gives up the run if it would read what the program itself wrote.
void ouro_check_readable(FILE *stream);

// file.c: notes that the program writes to the file; gives up the run if it did and now reads it.
void ouro_note_written(const char *path);
void ouro_check_unwritten(const char *path);

// Whether nothing can be found at a path, since it is empty or no text at all; sets `errno`.
int ouro_is_no_path(const char *path);

// ctype.c: white space of the C locale.
int ouro_is_space(int character);

// stdlib.c: whether `exit` or `quick_exit` was called.
extern int ouro_is_exiting;

// string.c
size_t ouro_length(const char *string);
int ouro_compare(const char *left, const char *right);

// convert.c: reads white space, a sign and digits, at most `width` characters of them.
struct ouro_number {
  unsigned long long magnitude;
  int negative;
  int too_large; // for an unsigned long long; the magnitude is then the greatest
  size_t length; // characters read; 0: there is no number
};
struct ouro_number ouro_read_number(const char *string, int base, size_t width);

// The number as an integer of so many bits; if it does not fit, the nearest one, and `errno` is set.
long long ouro_as_signed(struct ouro_number number, size_t bits);
unsigned long long ouro_as_unsigned(struct ouro_number number, size_t bits);

// real.c: reads a floating number.
struct ouro_real {
  enum { OURO_NO_REAL, OURO_DECIMAL, OURO_HEXADECIMAL, OURO_INFINITY, OURO_NAN } kind;
  int negative;
  unsigned long long digits; // the number is `digits` times 10 (or 2) to the power `exponent`
  long exponent;
  int longer;    // there were more digits, not all zero: `digits` is a little less than the number
  size_t length; // characters read, white space included
};
struct ouro_real ouro_read_real(const char *string);
float ouro_as_float(struct ouro_real real);
double ouro_as_double(struct ouro_real real);
long double ouro_as_long_double(struct ouro_real real);

// scanf.c: one piece of a format.
struct ouro_directive {
  char kind;         // 0: the end; ' '; '=': a character to match; % d i u o x f s c [ n
  char character;    // to match
  int suppressed;    // with `*`
  size_t width;      // 0: none given
  size_t size;       // bytes of the integer or floating object to store into
  const char *set;   // of `[`: the characters between the brackets
  size_t set_length; // and their number
  int inverted;      // whether it began with `^`
};
const char *ouro_read_directive(const char *format, struct ouro_directive *directive);
int ouro_is_in_set(const struct ouro_directive *directive, unsigned char character);
void ouro_store_integer(void *target, size_t size, unsigned long long value);

#endif

// Files: the opening, positioning and removing part of <stdio.h>, and <fcntl.h>.
//
// The content of a file that the program opens is the environment's choice. What the program itself
// wrote is not kept, so a run that would read it back is given up.
#include "ouro.h"

// The paths of the files that the program writes to.
struct ouro_path {
  const char *text;
  struct ouro_path *next;
};
static struct ouro_path *ouro_written_paths;

static int ouro_is_written(const char *path) {
  for (struct ouro_path *written = ouro_written_paths; written != 0; written = written->next)
    if (ouro_compare(written->text, path) == 0)
      return 1;
  return 0;
}

void ouro_note_written(const char *path) {
  if (ouro_is_written(path))
    return;
  size_t size = ouro_length(path) + 1;
  char *text = __ouro_allocate(size);
  __builtin_memcpy(text, path, size);
  struct ouro_path *written = __ouro_allocate(sizeof *written);
  written->text = text;
  written->next = ouro_written_paths;
  ouro_written_paths = written;
}

void ouro_check_unwritten(const char *path) {
  if (ouro_is_written(path))
    __ouro_limit("reading a file that the program itself wrote");
}

int ouro_is_no_path(const char *path) {
  if (path != 0 && *path != 0)
    return 0;
  ouro_errno = path == 0 ? OURO_EFAULT : OURO_ENOENT;
  return 1;
}

static int ouro_is_no_mode(const char *mode) {
  if (*mode == 'r' || *mode == 'w' || *mode == 'a')
    return 0;
  ouro_errno = OURO_EINVAL;
  return 1;
}

// glibc looks at a few characters of a mode only.
#define OURO_LONGEST_MODE 5

// Opens a file on a given stream.
static void ouro_open_on(FILE *stream, const char *path, const char *mode) {
  int updates = 0;
  for (size_t i = 1; mode[i] != 0; i++) {
    if (i >= OURO_LONGEST_MODE)
      __ouro_limit("a long mode of a file");
    updates |= mode[i] == '+';
  }
  if (path != 0 && (updates || *mode == 'r'))
    ouro_check_unwritten(path);
  if (path != 0 && (updates || *mode != 'r'))
    ouro_note_written(path);
  stream->pushed = 0;
  stream->next = 0;
  ouro_clear_error(stream);
  // An emptied file has nothing to choose: it counts as written.
  stream->written = *mode == 'w';
  stream->unwritable = *mode == 'r' && !updates;
  stream->unreadable = *mode != 'r' && !updates;
  stream->unflushed = 0;
  if (stream->descriptor == 1)
    ouro_stdout_unflushed = 0;
  stream->unbuffered = 0;
  stream->seekable = 0;
  stream->located = *mode == 'a' ? OURO_SOMEWHERE : OURO_LOCATED;
  stream->position = 0;
  stream->extent = (struct ouro_extent)OURO_UNREAD;
}

#define OURO_BEFORE_STREAM 16

static FILE *ouro_open(const char *path, const char *mode, int fails) {
  if (ouro_is_no_mode(mode))
    return 0;
  if (fails) {
    ouro_fail();
    return 0;
  }
  ouro_check_standard_open();
  // A part of something larger, since the program may not free it.
  FILE *stream = (FILE *)((char *)__ouro_allocate(OURO_BEFORE_STREAM + sizeof *stream) + OURO_BEFORE_STREAM);
  __builtin_memcpy(stream->shown, ouro_hidden, sizeof ouro_hidden);
  stream->descriptor = 3;
  stream->number = 0;
  ouro_open_on(stream, path, mode);
  return stream;
}

static FILE *ouro_open_file(const char *path, const char *mode, int fails) {
  FILE *stream = ouro_open(path, mode, fails);
  if (stream != 0)
    ouro_count_stream();
  return stream;
}

// audit: fopen, fopen64, fdopen, freopen, tmpfile: fails yes; short no; interrupted yes; stores errno; calls back no
FILE *fopen(const char *restrict path, const char *restrict mode) {
  if (ouro_is_no_path(path) || ouro_is_no_mode(mode))
    return 0;
  return ouro_open_file(path, mode, __ouro_choice_bool("fopen"));
}

FILE *fopen64(const char *restrict path, const char *restrict mode) {
  if (ouro_is_no_path(path) || ouro_is_no_mode(mode))
    return 0;
  return ouro_open_file(path, mode, __ouro_choice_bool("fopen"));
}

FILE *fdopen(int descriptor, const char *mode) {
  if (descriptor >= 0 && descriptor < 3)
    __ouro_limit("fdopen: a second stream on a standard descriptor");
  if (ouro_refuses(descriptor, -1)) {
    ouro_errno = OURO_EBADF;
    return 0;
  }
  FILE *stream = ouro_open(0, mode, __ouro_choice_bool("fdopen"));
  if (stream == 0)
    return 0;
  stream->number = descriptor;
  stream->located = OURO_MOVED;
  return stream;
}

FILE *freopen(const char *restrict path, const char *restrict mode, FILE *restrict stream) {
  if (path == 0)
    __ouro_limit("freopen without a path");
  // The stream is closed in any case.
  int is_standard = stream->descriptor < 3;
  if (is_standard) {
    ouro_closed[stream->descriptor] = 0;
  } else {
    ouro_close_descriptor(stream->number);
    stream->number = 0;
  }
  ouro_check_standard_open();
  int is_refused = ouro_is_no_path(path) || ouro_is_no_mode(mode);
  if (is_refused || __ouro_choice_bool("freopen")) {
    if (is_standard)
      ouro_closed[stream->descriptor] = 1;
    if (!is_refused)
      ouro_fail();
    return 0;
  }
  if (!is_standard)
    ouro_count_stream();
  ouro_open_on(stream, path, mode);
  return stream;
}

FILE *tmpfile(void) {
  return ouro_open_file(0, "w+", __ouro_choice_bool("tmpfile"));
}

// audit: popen: fails yes; short no; interrupted no; stores errno; calls back no
FILE *popen(const char *command, const char *mode) {
  (void)command;
  (void)mode;
  __ouro_limit("popen: another program runs");
}

// audit: tmpnam: fails yes; short no; interrupted no; stores the name; calls back no
char *tmpnam(char *name) {
  (void)name;
  __ouro_limit("tmpnam");
}

// Using a closed stream is undefined, and shows as the use of a freed object.
// A standard stream stays where it is: what is done with it then is not known.
// audit: fclose: fails yes; short no; interrupted yes; stores errno; calls back no
int fclose(FILE *stream) {
  int is_standard = stream->descriptor != 3;
  int was_closed = is_standard && ouro_closed[stream->descriptor];
  if (is_standard) {
    ouro_closed[stream->descriptor] = 1;
  } else {
    ouro_close_descriptor(stream->number);
    __ouro_free((char *)stream - OURO_BEFORE_STREAM);
  }
  if (__ouro_result_unused()) {
    ouro_output_unseen();
    return 0;
  }
  int fails = was_closed ? __ouro_unknown_bool("closing a stream after its descriptor was closed")
                         : __ouro_output_fails("fclose");
  if (!fails)
    return 0;
  ouro_fail();
  return EOF;
}

// The same at each call.
// audit: fileno: fails yes; short no; interrupted no; stores no; calls back no
int fileno(FILE *stream) {
  if (stream->descriptor < 3)
    return stream->descriptor;
  int access = stream->unwritable ? 0 : stream->unreadable ? 1 : 2;
  if (stream->number == 0)
    stream->number = ouro_number_stream(__ouro_choice_int("fileno"), access);
  return stream->number;
}

// Whether a stream has positions: a pipe has none, and never gets any.
static int ouro_is_seekable(FILE *stream) {
  if (stream->seekable == 0)
    stream->seekable = __ouro_choice_bool("whether the stream is a pipe") ? 2 : 1;
  return stream->seekable == 1;
}

static int ouro_seek(FILE *stream, long offset, int origin, int result) {
  if (!ouro_is_seekable(stream))
    __ouro_assume(result < 0);
  if (result == 0) {
    stream->end = 0;
    stream->pushed = 0;
    stream->next = 0;
    stream->located = origin == 0 ? OURO_LOCATED : origin == 2 ? OURO_SOMEWHERE : OURO_MOVED;
    stream->position = offset;
    stream->extent = (struct ouro_extent)OURO_UNREAD;
  } else if (stream->pushed && __ouro_unknown_bool("whether a seek that fails forgets what ungetc was given")) {
    stream->pushed = 0;
  }
  return result;
}

// No position is negative.
static int ouro_may_seek(FILE *stream, long *offset, int *origin) {
  if (*origin == 1 && stream->located == OURO_LOCATED && !stream->pushed) {
    // From where it is; what is too far away is refused like what is negative.
    *origin = 0;
    if (__builtin_add_overflow(*offset, stream->position, offset))
      *offset = -1;
  }
  if (*origin >= 0 && *origin <= 2 && (*origin != 0 || *offset >= 0))
    return 1;
  ouro_errno = OURO_EINVAL;
  return 0;
}

// audit: fseek, fseeko, rewind: fails yes; short no; interrupted yes; stores errno; calls back no
int fseek(FILE *stream, long offset, int origin) {
  if (!ouro_may_seek(stream, &offset, &origin))
    return -1;
  return ouro_seek(stream, offset, origin, OURO_RESULT("fseek"));
}

int fseeko(FILE *stream, long offset, int origin) {
  if (!ouro_may_seek(stream, &offset, &origin))
    return -1;
  return ouro_seek(stream, offset, origin, OURO_RESULT("fseeko"));
}

// The end and failures are forgotten even if it fails.
void rewind(FILE *stream) {
  ouro_seek(stream, 0, 0, OURO_RESULT("rewind"));
  ouro_clear_error(stream);
}

// It stays the same until the program reads, writes or moves.
static long ouro_position(FILE *stream, long position) {
  __ouro_assume(position >= -1);
  if (stream->located == OURO_LOCATED && stream->seekable == 1)
    __ouro_assume(position >= 0);
  if (position < 0) {
    if (stream->located != OURO_MOVED)
      stream->seekable = 2;
    ouro_fail();
    return -1;
  }
  __ouro_assume(ouro_is_seekable(stream));
  if (stream->located == OURO_LOCATED)
    __ouro_assume(position == stream->position);
  if (stream->located == OURO_MOVED)
    position = (long)(__ouro_unknown_ulong("the position after reading or writing") >> 1);
  stream->located = OURO_LOCATED;
  stream->position = position;
  return position;
}

// audit: ftell, ftello: fails yes; short no; interrupted no; stores errno; calls back no
long ftell(FILE *stream) {
  return ouro_position(stream, __ouro_choice_long("ftell"));
}

long ftello(FILE *stream) {
  return ouro_position(stream, __ouro_choice_long("ftello"));
}

// audit: fgetpos: fails yes; short no; interrupted no; stores the position, errno; calls back no
int fgetpos(FILE *restrict stream, void *restrict position) {
  (void)stream;
  (void)position;
  __ouro_limit("fgetpos");
}

// audit: remove, rename: fails yes; short no; interrupted no; stores errno; calls back no
int remove(const char *path) {
  if (ouro_is_no_path(path))
    return -1;
  return OURO_RESULT("remove");
}

int rename(const char *old, const char *new) {
  if (ouro_is_no_path(old) || ouro_is_no_path(new))
    return -1;
  if (ouro_written_paths != 0)
    ouro_note_written(new);
  return OURO_RESULT("rename");
}

// The descriptors 0 to 2 are taken; which other the environment gives, it decides.
static int ouro_open_descriptor(const char *path, int flags, int chosen) {
  if (ouro_is_no_path(path))
    return -1;
  ouro_check_standard_open();
  int access = flags & 3;
  if (access >= 2)
    __ouro_limit("a descriptor for reading and writing");
  if (access == 0)
    ouro_check_unwritten(path);
  else
    ouro_note_written(path);
  __ouro_assume((chosen == -1) | (chosen >= 3));
  if (chosen < 0) {
    ouro_fail();
    return -1;
  }
  if (access == 0)
    ouro_unread(chosen);
  return ouro_give_descriptor(chosen, access);
}

// audit: open, open64, openat, creat: fails yes; short no; interrupted yes; stores errno; calls back no
int open(const char *path, int flags, ...) {
  return ouro_open_descriptor(path, flags, __ouro_choice_int("open"));
}

int open64(const char *path, int flags, ...) {
  return ouro_open_descriptor(path, flags, __ouro_choice_int("open"));
}

int openat(int folder, const char *path, int flags, ...) {
  (void)folder;
  return ouro_open_descriptor(path, flags, __ouro_choice_int("openat"));
}

int creat(const char *path, unsigned mode) {
  (void)mode;
  return ouro_open_descriptor(path, 1, __ouro_choice_int("creat"));
}

// audit: fcntl: fails yes; short no; interrupted yes; stores errno; calls back no
int fcntl(int descriptor, int command, ...) {
  (void)descriptor;
  (void)command;
  __ouro_limit("fcntl");
}

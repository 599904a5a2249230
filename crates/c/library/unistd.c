// <unistd.h> and its neighbours: descriptors, sleeping, processes.
#include "ouro.h"

static int ouro_invalid(void) {
  ouro_errno = OURO_EINVAL;
  return -1;
}

static int ouro_bad_descriptor(void) {
  ouro_errno = OURO_EBADF;
  return -1;
}

// At most `size` bytes of the environment's choice.
static ptrdiff_t ouro_read(void *buffer, size_t size, long result) {
  __ouro_assume(result >= -1);
  if (result < 0) {
    ouro_fail();
    return -1;
  }
  size_t count = (size_t)result;
  __ouro_assume(count <= size);
  unsigned char *bytes = buffer;
  for (size_t i = 0; i < count; i++)
    bytes[i] = __ouro_choice_uchar("read");
  return (ptrdiff_t)count;
}

// If inputs end: how far standard input reaches, and the file that was opened last. What is left of several
// open files is not known one by one.
static struct ouro_extent ouro_standard = OURO_UNREAD;
static struct ouro_extent ouro_opened = OURO_UNREAD;

void ouro_unread(int descriptor) {
  struct ouro_extent *extent = descriptor == 0 ? &ouro_standard : &ouro_opened;
  int is_first = extent->left == LLONG_MAX;
  *extent = (struct ouro_extent)OURO_UNREAD;
  if (!is_first && __ouro_input_ends())
    extent->left = (long long)(__ouro_unknown_size("how much is left of several files") / 2);
}

static ptrdiff_t ouro_read_input(void *buffer, size_t size, struct ouro_extent *extent) {
  if (size == 0 || !__ouro_input_ends())
    return ouro_read(buffer, size, __ouro_choice_long("read"));
  if (ouro_is_over(extent)) {
    if (extent->after == 1)
      return 0;
    ouro_errno = extent->error;
    return -1;
  }
  ptrdiff_t count = ouro_read(buffer, size, __ouro_choice_long("read"));
  if (count > 0) {
    ouro_consume(extent, count);
  } else {
    ouro_finish(extent, count == 0);
    extent->error = count == 0 ? 0 : ouro_errno;
  }
  return count;
}

// audit: read: fails yes; short yes; interrupted yes; stores the bytes, errno; calls back no
ptrdiff_t read(int descriptor, void *buffer, size_t size) {
  if (ouro_refuses(descriptor, 0))
    return ouro_bad_descriptor();
  ouro_move_descriptor(descriptor);
  return ouro_read_input(buffer, size, descriptor == 0 ? &ouro_standard : &ouro_opened);
}

// audit: pread: fails yes; short yes; interrupted yes; stores the bytes, errno; calls back no
ptrdiff_t pread(int descriptor, void *buffer, size_t size, long offset) {
  if (ouro_refuses(descriptor, 0))
    return ouro_bad_descriptor();
  if (offset < 0)
    return ouro_invalid();
  return ouro_read(buffer, size, __ouro_choice_long("pread"));
}

// audit: recv: fails yes; short yes; interrupted yes; stores the bytes, errno; calls back no
ptrdiff_t recv(int socket, void *buffer, size_t size, int flags) {
  (void)flags;
  if (ouro_refuses(socket, 0))
    return ouro_bad_descriptor();
  return ouro_read(buffer, size, __ouro_choice_long("recv"));
}

// audit: getrandom: fails yes; short yes; interrupted yes; stores the bytes, errno; calls back no
#define OURO_RANDOM_FLAGS 7
ptrdiff_t getrandom(void *buffer, size_t size, unsigned flags) {
  if (flags > OURO_RANDOM_FLAGS)
    return ouro_invalid();
  return ouro_read(buffer, size, __ouro_choice_long("getrandom"));
}

int ouro_closed[3];

void ouro_check_standard_open(void) {
  if (ouro_closed[0] | ouro_closed[1] | ouro_closed[2])
    __ouro_limit("a file in place of a standard stream that was closed");
}


// Of something, a write that does not take all takes something or fails.
static ptrdiff_t ouro_write_less(size_t size, long result) {
  __ouro_assume(result >= -1);
  __ouro_assume(result != 0);
  if (result < 0) {
    ouro_fail();
    return -1;
  }
  __ouro_assume((size_t)result < size);
  return result;
}

#define OURO_WRITE(descriptor, size, name)                                                         \
  if (ouro_refuses(descriptor, 1))                                                                 \
    return ouro_bad_descriptor();                                                                  \
  ouro_move_descriptor(descriptor);                                                                \
  if (__ouro_result_unused())                                                                      \
    ouro_output_unseen();                                                                          \
  else if (__ouro_output_fails(name))                                                              \
    return ouro_write_less(size, __ouro_choice_long(name));                                        \
  return (ptrdiff_t)size

// audit: write: fails yes; short yes; interrupted yes; stores errno; calls back no
ptrdiff_t write(int descriptor, const void *buffer, size_t size) {
  int is_shown = (descriptor == 1 || descriptor == 2) && !ouro_closed[descriptor];
  __ouro_write(is_shown ? descriptor : 0, buffer, size);
  OURO_WRITE(descriptor, size, "write");
}

// audit: pwrite: fails yes; short yes; interrupted yes; stores errno; calls back no
ptrdiff_t pwrite(int descriptor, const void *buffer, size_t size, long offset) {
  __ouro_write(0, buffer, size);
  if (!ouro_refuses(descriptor, 1) && offset < 0)
    return ouro_invalid();
  OURO_WRITE(descriptor, size, "pwrite");
}

// audit: send: fails yes; short yes; interrupted yes; stores errno; calls back no
ptrdiff_t send(int socket, const void *buffer, size_t size, int flags) {
  (void)flags;
  __ouro_write(0, buffer, size);
  OURO_WRITE(socket, size, "send");
}

// On Linux a descriptor is closed even if closing it fails.
// audit: close: fails yes; short no; interrupted yes; stores errno; calls back no
int close(int descriptor) {
  if (ouro_refuses(descriptor, -1))
    return ouro_bad_descriptor();
  if (descriptor < 3)
    ouro_closed[descriptor] = 1;
  else
    ouro_close_descriptor(descriptor);
  return OURO_RESULT("close");
}

// audit: lseek: fails yes; short no; interrupted no; stores errno; calls back no
// From the start, the new position is the offset. Linux can look for data and for holes, too.
#define OURO_LAST_ORIGIN 4
long lseek(int descriptor, long offset, int origin) {
  if (ouro_refuses(descriptor, -1))
    return ouro_bad_descriptor();
  if (origin < 0 || origin > OURO_LAST_ORIGIN)
    return ouro_invalid();
  ouro_unread(descriptor);
  struct ouro_descriptor *found = ouro_find_descriptor(descriptor);
  if (origin == 1 && found != 0 && found->located) {
    // From where it is; what is too far away is refused like what is negative.
    origin = 0;
    if (__builtin_add_overflow(offset, found->position, &offset))
      offset = -1;
  }
  if (origin == 0 && offset < 0)
    return ouro_invalid();
  long position = __ouro_choice_long("lseek");
  __ouro_assume(position >= -1);
  if (origin == 0)
    __ouro_assume((position == -1) | (position == offset));
  if (position < 0) {
    ouro_fail();
    return -1;
  }
  // How far reading and writing has moved it nobody counts.
  if (origin == 1 && found != 0)
    position = (long)(__ouro_unknown_ulong("the position after reading or writing") >> 1);
  if (found != 0) {
    found->located = 1;
    found->position = position;
  }
  return position;
}

// audit: isatty: fails yes; short no; interrupted no; stores errno; calls back no
// A standard stream that is no terminal does not become one.
int isatty(int descriptor) {
  if (ouro_refuses(descriptor, -1)) {
    ouro_errno = OURO_EBADF;
    return 0;
  }
  static char is_none[3];
  int is_standard = descriptor >= 0 && descriptor < 3;
  if (!(is_standard && is_none[descriptor]) && __ouro_choice_bool("isatty"))
    return 1;
  if (is_standard)
    is_none[descriptor] = 1;
  ouro_fail();
  return 0;
}

// audit: unlink: fails yes; short no; interrupted no; stores errno; calls back no
int unlink(const char *path) {
  if (ouro_is_no_path(path))
    return -1;
  return OURO_RESULT("unlink");
}

// audit: access: fails yes; short no; interrupted no; stores errno; calls back no
int access(const char *path, int mode) {
  if ((mode & ~7) != 0)
    return ouro_invalid();
  if (ouro_is_no_path(path))
    return -1;
  return OURO_RESULT("access");
}

// audit: chdir: fails yes; short no; interrupted no; stores errno; calls back no
int chdir(const char *path) {
  if (ouro_is_no_path(path))
    return -1;
  return OURO_RESULT("chdir");
}

// audit: fsync: fails yes; short no; interrupted yes; stores errno; calls back no
int fsync(int descriptor) {
  if (ouro_refuses(descriptor, -1))
    return ouro_bad_descriptor();
  return OURO_RESULT("fsync");
}

// audit: sync: fails no; short no; interrupted no; stores no; calls back no
void sync(void) {
}

// audit: pipe: fails yes; short no; interrupted no; stores the descriptors, errno; calls back no
int pipe(int descriptors[2]) {
  (void)descriptors;
  __ouro_limit("pipe: the program reads what it wrote");
}

// audit: dup: fails yes; short no; interrupted no; stores errno; calls back no
int dup(int descriptor) {
  (void)descriptor;
  __ouro_limit("dup");
}

// audit: dup2: fails yes; short no; interrupted yes; stores errno; calls back no
int dup2(int old, int new) {
  (void)old;
  (void)new;
  __ouro_limit("dup2");
}

// audit: sleep: fails no; short yes; interrupted yes; stores no; calls back no
// The seconds that are left: none, unless the program handled a signal, which is where the model ends.
unsigned sleep(unsigned seconds) {
  unsigned left = __ouro_choice_uint("sleep");
  __ouro_assume(left <= seconds);
  ouro_tolerate(left != 0);
  return left;
}

// audit: usleep: fails yes; short no; interrupted yes; stores errno; calls back no
int usleep(unsigned microseconds) {
  int result = OURO_RESULT("usleep");
  (void)microseconds;
  ouro_tolerate(result < 0);
  return result;
}

// The same number at each call; none is chosen before the program asks.
#define OURO_MOST_PROCESSES 4194304

// audit: getpid: fails no; short no; interrupted no; stores no; calls back no
int getpid(void) {
  static int known;
  if (known == 0)
    known = OURO_CHOOSE("getpid", 1, OURO_MOST_PROCESSES);
  return known;
}

// audit: getppid: fails no; short no; interrupted no; stores no; calls back no
// Another process takes over when the parent ends; 0 is one that the program cannot see.
int getppid(void) {
  static int known = -1;
  static int changed;
  if (known >= 0 && !__ouro_choice_bool("whether the parent has ended"))
    return known;
  ouro_tolerate(changed);
  changed |= known >= 0;
  known = OURO_CHOOSE("getppid", 0, OURO_MOST_PROCESSES);
  return known;
}

// audit: getpagesize: fails no; short no; interrupted no; stores no; calls back no
int getpagesize(void) {
  return 4096;
}

// audit: alarm: fails no; short no; interrupted no; stores no; calls back yes
unsigned alarm(unsigned seconds) {
  if (seconds != 0)
    __ouro_limit("alarm: a signal arrives");
  return 0;
}

// audit: pause: fails yes; short no; interrupted yes; stores errno; calls back yes
int pause(void) {
  __ouro_limit("pause: waiting for a signal");
}

#define OURO_ANOTHER_PROGRAM "exec: another program takes over"

// audit: execl: fails yes; short no; interrupted no; stores errno; calls back no
int execl(const char *path, const char *argument, ...) {
  (void)path;
  (void)argument;
  __ouro_limit(OURO_ANOTHER_PROGRAM);
}

// audit: execlp: fails yes; short no; interrupted no; stores errno; calls back no
int execlp(const char *file, const char *argument, ...) {
  (void)file;
  (void)argument;
  __ouro_limit(OURO_ANOTHER_PROGRAM);
}

// audit: execle: fails yes; short no; interrupted no; stores errno; calls back no
int execle(const char *path, const char *argument, ...) {
  (void)path;
  (void)argument;
  __ouro_limit(OURO_ANOTHER_PROGRAM);
}

// audit: execv: fails yes; short no; interrupted no; stores errno; calls back no
int execv(const char *path, char *const arguments[]) {
  (void)path;
  (void)arguments;
  __ouro_limit(OURO_ANOTHER_PROGRAM);
}

// audit: execvp: fails yes; short no; interrupted no; stores errno; calls back no
int execvp(const char *file, char *const arguments[]) {
  (void)file;
  (void)arguments;
  __ouro_limit(OURO_ANOTHER_PROGRAM);
}

// audit: execve: fails yes; short no; interrupted no; stores errno; calls back no
int execve(const char *path, char *const arguments[], char *const environment[]) {
  (void)path;
  (void)arguments;
  (void)environment;
  __ouro_limit(OURO_ANOTHER_PROGRAM);
}

// audit: execvpe: fails yes; short no; interrupted no; stores errno; calls back no
int execvpe(const char *file, char *const arguments[], char *const environment[]) {
  (void)file;
  (void)arguments;
  (void)environment;
  __ouro_limit(OURO_ANOTHER_PROGRAM);
}

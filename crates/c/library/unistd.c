// <unistd.h> and its neighbours: descriptors, sleeping, processes.
#include "ouro.h"

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

ptrdiff_t read(int descriptor, void *buffer, size_t size) {
  (void)descriptor;
  return ouro_read(buffer, size, __ouro_choice_long("read"));
}

ptrdiff_t pread(int descriptor, void *buffer, size_t size, long offset) {
  (void)descriptor;
  (void)offset;
  return ouro_read(buffer, size, __ouro_choice_long("pread"));
}

ptrdiff_t recv(int socket, void *buffer, size_t size, int flags) {
  (void)socket;
  (void)flags;
  return ouro_read(buffer, size, __ouro_choice_long("recv"));
}

ptrdiff_t getrandom(void *buffer, size_t size, unsigned flags) {
  (void)flags;
  return ouro_read(buffer, size, __ouro_choice_long("getrandom"));
}

int ouro_closed[3];

void ouro_check_standard_open(void) {
  if (ouro_closed[0] | ouro_closed[1] | ouro_closed[2])
    __ouro_limit("a file in place of a standard stream that was closed");
}

static int ouro_is_closed(int descriptor) {
  return descriptor < 0 || (descriptor < 3 && ouro_closed[descriptor]);
}

static int ouro_bad_descriptor(void) {
  ouro_errno = OURO_EBADF;
  return -1;
}

// Of something, a write that does not take all takes something or fails.
static ptrdiff_t ouro_write_less(size_t size, long result) {
  __ouro_assume(result >= -1);
  __ouro_assume(result != 0);
  if (result < 0) {
    ouro_fail_output();
    return -1;
  }
  __ouro_assume((size_t)result < size);
  return result;
}

#define OURO_WRITE(descriptor, size, name)                                                         \
  if (ouro_is_closed(descriptor))                                                                  \
    return ouro_bad_descriptor();                                                                  \
  if (__ouro_result_unused())                                                                      \
    ouro_output_unseen();                                                                          \
  else if (__ouro_output_fails(name))                                                              \
    return ouro_write_less(size, __ouro_choice_long(name));                                        \
  return (ptrdiff_t)size

// audit: write, pwrite, send: fails yes; short yes; interrupted yes; stores errno; calls back no
ptrdiff_t write(int descriptor, const void *buffer, size_t size) {
  if (descriptor == 1 || descriptor == 2)
    __ouro_write(ouro_closed[descriptor] ? 0 : descriptor, buffer, size);
  OURO_WRITE(descriptor, size, "write");
}

ptrdiff_t pwrite(int descriptor, const void *buffer, size_t size, long offset) {
  (void)buffer;
  (void)offset;
  OURO_WRITE(descriptor, size, "pwrite");
}

ptrdiff_t send(int socket, const void *buffer, size_t size, int flags) {
  (void)buffer;
  (void)flags;
  OURO_WRITE(socket, size, "send");
}

// On Linux a descriptor is closed even if closing it fails.
// audit: close: fails yes; short no; interrupted yes; stores errno; calls back no
int close(int descriptor) {
  if (ouro_is_closed(descriptor))
    return ouro_bad_descriptor();
  if (descriptor < 3)
    ouro_closed[descriptor] = 1;
  return OURO_RESULT("close");
}

long lseek(int descriptor, long offset, int origin) {
  (void)descriptor;
  (void)offset;
  (void)origin;
  long position = __ouro_choice_long("lseek");
  __ouro_assume(position >= -1);
  if (position < 0)
    ouro_fail();
  return position;
}

int isatty(int descriptor) {
  (void)descriptor;
  if (__ouro_choice_bool("isatty"))
    return 1;
  ouro_fail();
  return 0;
}

int unlink(const char *path) {
  (void)path;
  return OURO_RESULT("unlink");
}

int access(const char *path, int mode) {
  (void)path;
  (void)mode;
  return OURO_RESULT("access");
}

int chdir(const char *path) {
  (void)path;
  return OURO_RESULT("chdir");
}

int fsync(int descriptor) {
  (void)descriptor;
  return OURO_RESULT("fsync");
}

void sync(void) {
}

int pipe(int descriptors[2]) {
  (void)descriptors;
  __ouro_limit("pipe: the program reads what it wrote");
}

int dup(int descriptor) {
  (void)descriptor;
  __ouro_limit("dup");
}

int dup2(int old, int new) {
  (void)old;
  (void)new;
  __ouro_limit("dup2");
}

// The seconds that are left: none, unless a signal woke the program.
unsigned sleep(unsigned seconds) {
  unsigned left = __ouro_choice_uint("sleep");
  __ouro_assume(left <= seconds);
  return left;
}

int usleep(unsigned microseconds) {
  (void)microseconds;
  return OURO_RESULT("usleep");
}

// The same number at each call; none is chosen before the program asks.
#define OURO_MOST_PROCESSES 4194304

int getpid(void) {
  static int known;
  if (known == 0)
    known = OURO_CHOOSE("getpid", 1, OURO_MOST_PROCESSES);
  return known;
}

int getppid(void) {
  static int known;
  if (known == 0)
    known = OURO_CHOOSE("getppid", 1, OURO_MOST_PROCESSES);
  return known;
}

int getpagesize(void) {
  return 4096;
}

unsigned alarm(unsigned seconds) {
  if (seconds != 0)
    __ouro_limit("alarm: a signal arrives");
  return 0;
}

int pause(void) {
  __ouro_limit("pause: waiting for a signal");
}

#define OURO_ANOTHER_PROGRAM "exec: another program takes over"

int execl(const char *path, const char *argument, ...) {
  (void)path;
  (void)argument;
  __ouro_limit(OURO_ANOTHER_PROGRAM);
}

int execlp(const char *file, const char *argument, ...) {
  (void)file;
  (void)argument;
  __ouro_limit(OURO_ANOTHER_PROGRAM);
}

int execle(const char *path, const char *argument, ...) {
  (void)path;
  (void)argument;
  __ouro_limit(OURO_ANOTHER_PROGRAM);
}

int execv(const char *path, char *const arguments[]) {
  (void)path;
  (void)arguments;
  __ouro_limit(OURO_ANOTHER_PROGRAM);
}

int execvp(const char *file, char *const arguments[]) {
  (void)file;
  (void)arguments;
  __ouro_limit(OURO_ANOTHER_PROGRAM);
}

int execve(const char *path, char *const arguments[], char *const environment[]) {
  (void)path;
  (void)arguments;
  (void)environment;
  __ouro_limit(OURO_ANOTHER_PROGRAM);
}

int execvpe(const char *file, char *const arguments[], char *const environment[]) {
  (void)file;
  (void)arguments;
  (void)environment;
  __ouro_limit(OURO_ANOTHER_PROGRAM);
}

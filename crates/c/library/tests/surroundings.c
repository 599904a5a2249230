// What the environment decides: whatever the system is seen to do, the library must allow. The choices
// are answered with what the system did.
#include "harness.h"
#include <arpa/inet.h>
#include <fcntl.h>
#include <locale.h>
#include <malloc.h>
#include <signal.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <time.h>

OURS(rand_r); OURS(srand); OURS(srandom); OURS(srand48); OURS(lrand48); OURS(mrand48); OURS(erand48);
OURS(nrand48); OURS(jrand48); OURS(rand); OURS(drand48); OURS(random);
unsigned ouro_test_arc4random(void);
unsigned ouro_test_arc4random_uniform(unsigned);

// After a second seed, a number is one that nobody knows: the bits above the lowest.
static void test_random_numbers(void) {
  enum end how;
  volatile long got = 0;
  unsigned short state[3] = {1, 2, 3}, ours[3] = {1, 2, 3};
  for (int round = 0; round < 200; round++) {
    long expected = rand();
    CHOOSE(round < 100 ? expected : expected << 1);
    RUN(how, got = ouro_test_rand());
    CHECK(how == FINISHED && got == expected, "rand: %ld, ours %ld", expected, got);
    expected = lrand48();
    CHOOSE(round < 100 ? expected : expected << 1);
    RUN(how, got = ouro_test_lrand48());
    CHECK(how == FINISHED && got == expected, "lrand48: %ld, ours %ld", expected, got);
    expected = mrand48();
    CHOOSE(expected);
    RUN(how, got = ouro_test_mrand48());
    CHECK(how == FINISHED && got == expected, "mrand48: %ld, ours %ld", expected, got);
    if (round == 99) {
      srand(5);
      ouro_test_srand(5);
      ouro_test_srandom(5);
      srand48(5);
      ouro_test_srand48(5);
    }
  }
  unsigned seed = 1, our_seed = 1;
  int expected = rand_r(&seed);
  CHOOSE(seed, expected);
  RUN(how, got = ouro_test_rand_r(&our_seed));
  CHECK(how == FINISHED && got == expected && seed == our_seed, "rand_r");
  expected = rand_r(&seed);
  CHOOSE(seed, (long long)expected << 1);
  RUN(how, got = ouro_test_rand_r(&our_seed));
  CHECK(how == FINISHED && got == expected && seed == our_seed, "rand_r again");
  for (int round = 0; round < 5; round++) {
    long number = round % 2 ? nrand48(state) : jrand48(state);
    long long bits = state[0] | (long long)state[1] << 16;
    CHOOSE(bits, state[2], round % 2 ? number << 1 : number);
    RUN(how, got = round % 2 ? ouro_test_nrand48(ours) : ouro_test_jrand48(ours));
    CHECK(how == FINISHED && got == number && !memcmp(state, ours, sizeof ours), "jrand48, nrand48");
    double fraction = erand48(state);
    bits = state[0] | (long long)state[1] << 16;
    long long digits = (long long)(fraction * 0x1p48);
    CHOOSE(bits, state[2], digits >> 16, digits << 16);
    double our_fraction = ouro_test_erand48(ours);
    CHECK(our_fraction == fraction && !memcmp(state, ours, sizeof ours), "erand48");
  }
  CHOOSE(7, 3);
  CHECK(ouro_test_arc4random() == 7 && ouro_test_arc4random_uniform(4) == 3, "arc4random");
  CHOOSE(4);
  RUN(how, ouro_test_arc4random_uniform(4));
  CHECK(how == ASSUMED_AWAY, "arc4random_uniform has a bound");
}

OURS(time); OURS(clock); OURS(gettimeofday); OURS(clock_gettime); OURS(timespec_get);
OURS(nanosleep); OURS(difftime); OURS(sleep); OURS(usleep);

static void test_clocks(void) {
  enum end how;
  volatile long got = 0;
  time_t now = time(0);
  CHOOSE(now);
  RUN(how, got = ouro_test_time(0));
  CHECK(how == FINISHED && got == now, "time");
  CHOOSE(0, (long long)now << 1);
  RUN(how, got = ouro_test_time(0));
  CHECK(how == FINISHED && got == now, "time again");
  CHOOSE(1, 0, EOVERFLOW);
  RUN(how, got = ouro_test_time(0));
  CHECK(how == FINISHED && got == -1, "time may fail");
  CHOOSE(1, 1);
  RUN(how, ouro_test_time(0));
  CHECK(how == EXITED, "but no loop may rest on that");
  clock_t ticks = clock();
  CHOOSE(ticks, 0);
  CHECK(ouro_test_clock() == ticks, "clock");
  clock_t later = clock();
  CHOOSE(later - ticks, 0);
  CHECK(ouro_test_clock() == later, "clock again");
  struct timeval day, our_day;
  gettimeofday(&day, 0);
  CHOOSE((long long)day.tv_sec << 1, (long long)day.tv_usec << 12);
  CHECK(ouro_test_gettimeofday(&our_day, 0) == 0 && our_day.tv_sec == day.tv_sec &&
            our_day.tv_usec == day.tv_usec, "gettimeofday");
  struct timespec first, second, ours;
  static const int clocks[] = {CLOCK_MONOTONIC, CLOCK_PROCESS_CPUTIME_ID, CLOCK_BOOTTIME};
  for (size_t i = 0; i < sizeof clocks / sizeof *clocks; i++) {
    clock_gettime(clocks[i], &first);
    CHOOSE(0, first.tv_sec, first.tv_nsec);
    RUN(how, ouro_test_clock_gettime(clocks[i], &ours));
    CHECK(how == FINISHED && !memcmp(&first, &ours, sizeof ours), "clock_gettime");
    for (int round = 0; round < 50; round++) {
      clock_gettime(clocks[i], &second);
      CHOOSE(0, (long long)(second.tv_sec - first.tv_sec) << 1, (long long)second.tv_nsec << 2);
      RUN(how, ouro_test_clock_gettime(clocks[i], &ours));
      CHECK(how == FINISHED && !memcmp(&second, &ours, sizeof ours), "clock_gettime later");
      first = second;
    }
    CHOOSE(0, 0, 0);
    ouro_test_clock_gettime(clocks[i], &ours);
    CHECK(ours.tv_sec > second.tv_sec || ours.tv_nsec >= second.tv_nsec, "a clock that goes back");
  }
  CHOOSE(-1, EINVAL);
  CHECK(clock_gettime(999, &first) == -1 && errno == EINVAL, "clock_gettime of no clock");
  CHECK(ouro_test_clock_gettime(999, &ours) == -1 && ouro_errno == EINVAL, "clock_gettime of no clock");
  timespec_get(&first, TIME_UTC);
  CHOOSE(0, (long long)first.tv_sec << 1, (long long)first.tv_nsec << 2);
  CHECK(ouro_test_timespec_get(&ours, TIME_UTC) == TIME_UTC && !memcmp(&first, &ours, sizeof ours),
        "timespec_get");
  CHECK(timespec_get(&first, 77) == ouro_test_timespec_get(&ours, 77), "timespec_get of no base");
  for (int round = 0; round < 1000; round++) {
    long a = (long)random_bits() >> below(60), b = (long)random_bits() >> below(60);
    CHECK(difftime(a, b) == ouro_test_difftime(a, b), "difftime(%ld, %ld)", a, b);
  }
  struct timespec moment = {0, 1}, wrong = {0, 1000000000};
  CHOOSE(0);
  CHECK(nanosleep(&moment, 0) == ouro_test_nanosleep(&moment, 0), "nanosleep");
  CHECK(nanosleep(&wrong, 0) == -1 && errno == EINVAL, "nanosleep of too much");
  CHECK(ouro_test_nanosleep(&wrong, 0) == -1 && ouro_errno == EINVAL, "nanosleep of too much");
  CHOOSE(0, 0);
  CHECK(sleep(0) == ouro_test_sleep(0) && usleep(1) == ouro_test_usleep(1), "sleep, usleep");
}

OURS(read); OURS(pread); OURS(recv); OURS(getrandom); OURS(pwrite); OURS(send);
OURS(close); OURS(lseek); OURS(isatty); OURS(unlink); OURS(access); OURS(chdir); OURS(fsync);
OURS(sync); OURS(getpid); OURS(getppid); OURS(getpagesize);

// A call of the system, its error first among the choices if it failed.
#define RESULT(name, ...)                                                                          \
  do {                                                                                             \
    errno = 0;                                                                                     \
    long expected = name(__VA_ARGS__);                                                             \
    CHOOSE(expected, errno);                                                                       \
    RUN(how, got = ouro_test_##name(__VA_ARGS__));                                                 \
    CHECK(how == FINISHED && got == expected && (expected >= 0 || ouro_errno == errno),            \
          #name ": %ld, ours %ld", expected, (long)got);                                           \
  } while (0)

static void test_calls_of_the_system(void) {
  enum end how;
  volatile long got = 0;
  char bytes[4], ours[4];
  int ends[2], sockets[2];
  CHECK(pipe(ends) == 0 && socketpair(AF_UNIX, SOCK_STREAM, 0, sockets) == 0, "pipe");
  char name[] = "/tmp/ouro-library-XXXXXX";
  int file = mkstemp(name);
  CHECK(write(file, "data", 4) == 4 && write(ends[1], "ab", 2) == 2, "write");
  long expected = read(ends[0], bytes, 4);
  CHOOSE(expected, bytes[0], bytes[1]);
  RUN(how, got = ouro_test_read(ends[0], ours, 4));
  CHECK(how == FINISHED && got == expected && !memcmp(bytes, ours, 2), "read");
  expected = pread(file, bytes, 4, 2);
  CHOOSE(expected, bytes[0], bytes[1]);
  RUN(how, got = ouro_test_pread(file, ours, 4, 2));
  CHECK(how == FINISHED && got == expected && !memcmp(bytes, ours, 2), "pread");
  RESULT(pwrite, file, "xy", 2, 0);
  RESULT(send, sockets[0], "pq", 2, 0);
  expected = recv(sockets[1], bytes, 4, 0);
  CHOOSE(expected, bytes[0], bytes[1]);
  RUN(how, got = ouro_test_recv(sockets[1], ours, 4, 0));
  CHECK(how == FINISHED && got == expected && !memcmp(bytes, ours, 2), "recv");
  expected = getrandom(bytes, 2, 0);
  CHOOSE(expected, bytes[0], bytes[1]);
  RUN(how, got = ouro_test_getrandom(ours, 2, 0));
  CHECK(how == FINISHED && got == expected && !memcmp(bytes, ours, 2), "getrandom");
  RESULT(lseek, file, 3, SEEK_SET);
  RESULT(lseek, file, 0, SEEK_END);
  RESULT(lseek, file, -1, SEEK_SET);
  RESULT(lseek, ends[0], 0, SEEK_CUR);
  RESULT(fsync, file);
  RESULT(fsync, ends[0]);
  RESULT(access, name, R_OK);
  RESULT(access, "/no/such/path", R_OK);
  RESULT(chdir, "/no/such/path");
  RESULT(unlink, name);
  RESULT(unlink, name);
  RESULT(read, -1, bytes, 4);
  RESULT(close, file);
  RESULT(close, -1);
  errno = 0;
  expected = isatty(ends[0]);
  CHOOSE(expected, errno);
  CHECK(ouro_test_isatty(ends[0]) == expected && ouro_errno == errno, "isatty");
  RESULT(getpid);
  CHECK(ouro_test_getpid() == getpid(), "getpid again");
  RESULT(getppid);
  CHOOSE(0);
  CHECK(ouro_test_getppid() == getppid(), "getppid again");
  CHECK(ouro_test_getpagesize() == getpagesize(), "getpagesize");
  ouro_test_sync();
  close(ends[0]); close(ends[1]); close(sockets[0]); close(sockets[1]);
}

OURS(strerror); OURS(strsignal); OURS(setlocale); OURS(signal); OURS(__sysv_signal);

static void choose_text(const char *text, size_t first, const long long *before) {
  long long values[64] = {0};
  memcpy(values, before, first * sizeof *before);
  for (size_t i = 0; i < 64 - first; i++)
    values[first + i] = i < strlen(text) ? text[i] : 0;
  choose(64, values);
}

static void test_texts(void) {
  for (int number = -1; number < 140; number++) {
    choose_text(strerror(number), 0, 0);
    CHECK(!strcmp(ouro_test_strerror(number), strerror(number)), "strerror(%d)", number);
    choose_text(strsignal(number), 0, 0);
    CHECK(!strcmp(ouro_test_strsignal(number), strsignal(number)), "strsignal(%d)", number);
  }
  choose_text("C", 1, (long long[]){0});
  CHECK(!strcmp(ouro_test_setlocale(LC_ALL, "C"), setlocale(LC_ALL, "C")), "setlocale");
  CHECK(!strcmp(ouro_test_setlocale(LC_ALL, 0), setlocale(LC_ALL, 0)), "setlocale");
  CHOOSE(1);
  CHECK(ouro_test_setlocale(LC_ALL, "nowhere") == 0 && setlocale(LC_ALL, "nowhere") == 0, "setlocale");
}

static void test_signals(void) {
  CHOOSE(0, 0);
  CHECK(signal(SIGUSR1, SIG_IGN) == ouro_test_signal(SIGUSR1, SIG_IGN), "signal");
  CHECK(signal(SIGUSR1, SIG_DFL) == ouro_test_signal(SIGUSR1, SIG_DFL), "signal again");
  CHECK(signal(SIGUSR2, SIG_DFL) == ouro_test___sysv_signal(SIGUSR2, SIG_DFL), "__sysv_signal");
  static const int wrong[] = {-1, 0, SIGKILL, SIGSTOP, 65, 1000};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    CHECK(signal(wrong[i], SIG_IGN) == SIG_ERR, "signal(%d)", wrong[i]);
    ouro_errno = 0;
    CHECK(ouro_test_signal(wrong[i], SIG_IGN) == SIG_ERR && ouro_errno == errno, "signal(%d)", wrong[i]);
  }
}

OURS(memalign); OURS(valloc); OURS(malloc_usable_size); OURS(on_exit); OURS(exit); OURS(atexit);
OURS(imaxabs); OURS(imaxdiv); OURS(htonl); OURS(htons); OURS(ntohl); OURS(ntohs); OURS(_tolower);
OURS(_toupper); OURS(explicit_bzero); OURS(strtoq); OURS(strtouq); OURS(_exit);
void ouro_test_cfree(void *);

static void say_status(int status, void *argument) {
  written[written_size++] = (char)('0' + status);
  written[written_size++] = *(char *)argument;
}

static void say_e(void) {
  written[written_size++] = 'e';
}

static void test_small_things(void) {
  enum end how;
  char letter = 'x';
  written_size = 0;
  ouro_test_atexit(say_e);
  ouro_test_on_exit(say_status, &letter);
  RUN(how, ouro_test_exit(3));
  CHECK(how == EXITED && !memcmp(written, "3xe", 3), "on_exit");
  RUN(how, ouro_test__exit(4));
  CHECK(how == EXITED && exit_status == 4, "_exit");
  CHOOSE(0, 1);
  RUN(how, ouro_test_cfree(ouro_test_memalign(16, 8)));
  CHECK(how == FINISHED && ouro_test_valloc(8) == 0, "memalign, cfree, valloc");
  CHECK(ouro_test_malloc_usable_size(0) == malloc_usable_size(0), "malloc_usable_size");
  RUN(how, ouro_test_malloc_usable_size(&letter));
  CHECK(how == LIMIT, "malloc_usable_size");
  for (int round = 0; round < 1000; round++) {
    intmax_t a = (intmax_t)random_bits() >> below(62), b = ((intmax_t)random_bits() >> below(62)) | 2;
    imaxdiv_t expected = imaxdiv(a, b), got = ouro_test_imaxdiv(a, b);
    CHECK(imaxabs(a) == ouro_test_imaxabs(a), "imaxabs");
    CHECK(expected.quot == got.quot && expected.rem == got.rem, "imaxdiv");
    uint32_t word = (uint32_t)a;
    uint16_t half = (uint16_t)a;
    CHECK(htonl(word) == ouro_test_htonl(word) && ntohl(word) == ouro_test_ntohl(word), "htonl");
    CHECK(htons(half) == ouro_test_htons(half) && ntohs(half) == ouro_test_ntohs(half), "htons");
    char text[32];
    snprintf(text, sizeof text, "%jd", a);
    CHECK(strtoq(text, 0, 10) == ouro_test_strtoq(text, 0, 10), "strtoq");
    CHECK(strtouq(text, 0, 10) == ouro_test_strtouq(text, 0, 10), "strtouq");
  }
  for (int c = 'a'; c <= 'z'; c++)
    CHECK((_toupper)(c) == ouro_test__toupper(c) && (_tolower)(c - 32) == ouro_test__tolower(c - 32),
          "_toupper");
  char secret[4] = "abc";
  ouro_test_explicit_bzero(secret, 2);
  CHECK(!memcmp(secret, "\0\0c", 4), "explicit_bzero");
}

OURS(alarm); OURS(dup); OURS(dup2); OURS(execl); OURS(execle); OURS(execlp); OURS(execv); OURS(execve);
OURS(execvp); OURS(execvpe); OURS(kill); OURS(pause); OURS(pipe); OURS(putenv); OURS(raise);
OURS(secure_getenv); OURS(sigaction);

// Where the model ends, nothing is promised.
static void test_limits(void) {
  enum end how;
  int ends[2];
  char setting[] = "A=B", *arguments[] = {0};
  CHECK(ouro_test_alarm(0) == alarm(0), "alarm");
#define LIMITED(call)                                                                              \
  RUN(how, ouro_test_##call);                                                                      \
  CHECK(how == LIMIT, #call)
  LIMITED(alarm(1)); LIMITED(dup(1)); LIMITED(dup2(1, 2)); LIMITED(kill(1, 0)); LIMITED(pause());
  LIMITED(pipe(ends)); LIMITED(putenv(setting)); LIMITED(raise(0)); LIMITED(secure_getenv("A"));
  LIMITED(sigaction(SIGUSR1, 0, 0)); LIMITED(execl("a", "a", (char *)0));
  LIMITED(execle("a", "a", (char *)0, arguments)); LIMITED(execlp("a", "a", (char *)0));
  LIMITED(execv("a", arguments)); LIMITED(execve("a", arguments, arguments));
  LIMITED(execvp("a", arguments)); LIMITED(execvpe("a", arguments, arguments));
}

// The same functions under the names that headers give them.
long ouro_test___isoc23_strtol(const char *, char **, int);
long long ouro_test___isoc23_strtoll(const char *, char **, int);
intmax_t ouro_test___isoc23_strtoimax(const char *, char **, int);
unsigned long ouro_test___isoc23_strtoul(const char *, char **, int);
unsigned long long ouro_test___isoc23_strtoull(const char *, char **, int);
uintmax_t ouro_test___isoc23_strtoumax(const char *, char **, int);
char *ouro_test___strdup(const char *);
char *ouro_test___strtok_r(char *, const char *, char **);
int *ouro_test___errno_location(void);
int ouro_test___cxa_atexit(void (*)(void *), void *, void *);

static void say_argument(void *argument) {
  written[written_size++] = *(char *)argument;
}

static void test_other_names(void) {
  enum end how;
  for (int round = 0; round < 2000; round++) {
    char text[32];
    random_text(text, 24, "0123456789 -+xXfF");
    int base = (int)below(37);
    base = base == 1 ? 0 : base;
#define OTHER(name) CHECK(name(text, 0, base) == ouro_test___isoc23_##name(text, 0, base), #name)
    OTHER(strtol); OTHER(strtoll); OTHER(strtoimax); OTHER(strtoul); OTHER(strtoull); OTHER(strtoumax);
  }
  CHECK(ouro_test___isoc23_strtol("0b101", 0, 0) == 5, "binary numbers of C23");
  CHOOSE(0);
  char *copy = ouro_test___strdup("a b"), *rest;
  CHECK(!strcmp(ouro_test___strtok_r(copy, " ", &rest), "a"), "__strtok_r");
  CHECK(ouro_test___errno_location() == &ouro_errno, "errno");
  char letter = 'y';
  written_size = 0;
  ouro_test___cxa_atexit(say_argument, &letter, 0);
  RUN(how, ouro_test_exit(0));
  CHECK(how == EXITED && written[0] == 'y', "__cxa_atexit");
}

void test_surroundings(void) {
  test_limits();
  test_other_names();
  test_random_numbers();
  test_clocks();
  test_calls_of_the_system();
  test_texts();
  test_signals();
  test_small_things();
}

/* Loops that end though they look endless: by a file, a limit, a signal, or what shows how much was allocated.
   The argument names one. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <malloc.h>
#include <mqueue.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>
static volatile int stop;
static void *volatile kept;
static void set(int number) { stop = 1; }
static void turn(void) { while (!stop) { } }
/* It takes some time, so that memory lasts. */
static void leak(size_t size) { kept = malloc(size); __asm__ volatile(".rept 60\npause\n.endr"); }
static int file(const char *text) {
    char name[] = "/tmp/ouro-hostile-XXXXXX"; int f = mkstemp(name); unlink(name);
    ftruncate(f, 8192); pwrite(f, text, strlen(text), 0); return f;
}
static char *map(int f, int rights) { return mmap(0, 8192, rights, MAP_PRIVATE, f, 0); }
static int child(void *parent) { prctl(PR_SET_PDEATHSIG, SIGKILL); if (getppid() == *(int *)parent) sleep(1000); return 0; }
extern char *__curbrk;
static int is(const char *a, const char *b) { return strcmp(a, b) == 0; }
int main(int argc, char **argv) {
    const char *name = argv[1];
    volatile char *p; char *q; struct rlimit some = { 1u << 30, 1u << 30 }; int pair[2]; size_t *words;
    /* Files. */
    if (is(name, "config")) { p = map(file("0"), PROT_READ); while (*p == '0') { } }
    if (is(name, "writable")) { p = map(file("0"), PROT_READ | PROT_WRITE); while (*p == '0') { } }
    if (is(name, "unlinked")) { p = map(file("run=1"), PROT_READ); for (;;) if (p[4] != '1') break; }
    if (is(name, "memfd")) { int f = memfd_create("settings", 0); ftruncate(f, 8192); p = map(f, PROT_READ); while (!*p) { } }
    if (is(name, "second page")) { p = map(file("x"), PROT_READ | PROT_WRITE); p[0] = 'y'; while (!p[4096]) { } }
    if (is(name, "string")) { q = map(file("waiting"), PROT_READ); while (strcmp(q, "waiting") == 0) __asm__ volatile("" : : : "memory"); }
    if (is(name, "looks like a program")) { p = map(file("\177ELF"), PROT_READ); while (!p[100]) { } }
    if (is(name, "own page")) { p = map(file("0"), PROT_READ | PROT_WRITE); p[1] = 'y'; while (*p == '0') { } }
    /* Memory that the kernel may take back: it is zero then. */
    if (is(name, "given back")) { p = mmap(0, 65536, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0); memset((char *)p, 1, 65536); madvise((char *)p, 65536, MADV_FREE); while (p[5000]) { } }
    /* Limits and signals. */
    if (is(name, "parting child") || is(name, "quiet child")) {
        static char stack[65536]; int parent = getpid();
        clone(child, stack + sizeof stack, is(name, "quiet child") ? SIGURG : SIGTERM, &parent); for (;;) { } }
    if (is(name, "real time")) { setrlimit(RLIMIT_RTTIME, &some); turn(); }
    if (is(name, "cpu")) { setrlimit(RLIMIT_CPU, &some); for (;;) { } }
    if (is(name, "child") || is(name, "ignored child")) {
        int parent = getpid();
        if (is(name, "child")) signal(SIGCHLD, set);
        if (fork() == 0) { prctl(PR_SET_PDEATHSIG, SIGKILL); if (getppid() == parent) sleep(1000); _exit(0); }
        if (is(name, "child")) turn(); else for (;;) { }
    }
    if (is(name, "asynchronous pipe")) { pipe(pair); fcntl(pair[0], F_SETOWN, getpid()); fcntl(pair[0], F_SETFL, O_ASYNC); for (;;) { } }
    if (is(name, "asynchronous socket")) { signal(SIGIO, set); socketpair(AF_UNIX, SOCK_STREAM, 0, pair); fcntl(pair[0], F_SETOWN, getpid()); fcntl(pair[0], F_SETFL, O_ASYNC | O_NONBLOCK); turn(); }
    if (is(name, "lease")) { fcntl(file("x"), F_SETLEASE, F_WRLCK); for (;;) { } }
    if (is(name, "alarm")) { signal(SIGALRM, set); alarm(1000); turn(); }
    if (is(name, "profile")) { struct itimerval t = { { 0, 0 }, { 1000, 0 } }; signal(SIGPROF, set); setitimer(ITIMER_PROF, &t, 0); turn(); }
    if (is(name, "posix timer")) { timer_t t; timer_create(CLOCK_MONOTONIC, 0, &t); for (;;) { } }
    if (is(name, "message queue")) {
        char queue[32]; snprintf(queue, sizeof queue, "/ouro-%d", getpid()); mqd_t m = mq_open(queue, O_CREAT | O_RDWR, 0600, 0); mq_unlink(queue);
        struct sigevent event = { .sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR1 }; mq_notify(m, &event); for (;;) { } }
    if (is(name, "parent")) { prctl(PR_SET_PDEATHSIG, SIGKILL); for (;;) { } }
    /* The allocator: 400 MB are there at first. */
    mallopt(M_TOP_PAD, 400 << 20); kept = malloc(24); words = malloc(24); q = sbrk(0);
    if (is(name, "break")) while ((char *)sbrk(0) == q) leak(64);
    if (is(name, "break variable")) while (__curbrk == q) leak(64);
    if (is(name, "usable")) while (malloc_usable_size(kept) < 1000) leak(64);
    if (is(name, "info")) while (mallinfo2().uordblks < 400000000) leak(64);
    /* What will be the header of a block, far up. */
    if (is(name, "top")) { volatile size_t *at = words + 40000000; while (!*at) leak(64); }
    /* How many free blocks of a kind there are; a block that is free; the size of one; the list of all that are free.
       None of these is what the loop waits for, but that is the allocator's affair. */
    if (is(name, "lists")) { free(malloc(200)); volatile unsigned short *counts = (unsigned short *)(((uintptr_t)words & ~0xfffull) + 16); while (counts[11]) leak(64); }
    if (is(name, "freed")) { char *a = malloc(200), *b = malloc(200); free(b); free(a); volatile size_t *link = (size_t *)a; size_t old = *link; while (*link == old) leak(64); }
    if (is(name, "header")) { volatile size_t *size = words - 1; while (*size & 1) leak(64); }
    if (is(name, "arena")) { char *a = malloc(3000); malloc(24); free(a); volatile size_t *at = *(size_t **)a + 1; while (*at != 12345) leak(64); }
    if (is(name, "address space")) { setrlimit(RLIMIT_AS, &some); for (;;) leak(64); }
    if (is(name, "data")) { setrlimit(RLIMIT_DATA, &some); for (;;) leak(64); }
    if (is(name, "leak")) for (;;) leak(64);
    return 0;
}

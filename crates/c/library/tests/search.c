// <search.h> and what of threads a single one sees, beside the system's.
#include "harness.h"
#include <pthread.h>
#include <search.h>
#include <threads.h>

OURS(lfind); OURS(lsearch); OURS(insque); OURS(remque); OURS(tsearch); OURS(tfind); OURS(tdelete);
OURS(twalk); OURS(tdestroy);

static int compare(const void *left, const void *right) {
  int a = *(const int *)left, b = *(const int *)right;
  return (a > b) - (a < b);
}

static void test_arrays(void) {
  for (int round = 0; round < 200; round++) {
    int theirs[9] = {0}, ours[9] = {0};
    size_t count = below(8), our_count = count;
    for (size_t i = 0; i < count; i++)
      theirs[i] = ours[i] = (int)below(6);
    int key = (int)below(6);
    int *found = lfind(&key, theirs, &count, sizeof key, compare);
    int *our_found = ouro_test_lfind(&key, ours, &our_count, sizeof key, compare);
    CHECK((found == 0) == (our_found == 0) && (found == 0 || found - theirs == our_found - ours), "lfind");
    found = lsearch(&key, theirs, &count, sizeof key, compare);
    our_found = ouro_test_lsearch(&key, ours, &our_count, sizeof key, compare);
    CHECK(found - theirs == our_found - ours && count == our_count &&
              !memcmp(theirs, ours, sizeof ours),
          "lsearch");
  }
}

struct element {
  struct element *next;
  struct element *previous;
};

// The links as numbers.
static int place(const struct element *element, const struct element *all) {
  return element == 0 ? -1 : (int)(element - all);
}

static void test_links(void) {
  for (int round = 0; round < 200; round++) {
    struct element theirs[6], ours[6];
    insque(&theirs[0], 0);
    ouro_test_insque(&ours[0], 0);
    for (int i = 1; i < 6; i++) {
      unsigned before = below((unsigned)i);
      insque(&theirs[i], &theirs[before]);
      ouro_test_insque(&ours[i], &ours[before]);
    }
    unsigned removed = below(6);
    remque(&theirs[removed]);
    ouro_test_remque(&ours[removed]);
    for (unsigned i = 0; i < 6; i++)
      CHECK(i == removed || (place(theirs[i].next, theirs) == place(ours[i].next, ours) &&
                             place(theirs[i].previous, theirs) == place(ours[i].previous, ours)),
            "insque, remque");
  }
}

static char walked[256];

static void visit(const void *node, VISIT when, int depth) {
  size_t length = strlen(walked);
  snprintf(walked + length, sizeof walked - length, "%d/%d/%d ", **(int *const *)node, (int)when, depth);
}

static void release(void *key) {
  size_t length = strlen(walked);
  snprintf(walked + length, sizeof walked - length, "-%d ", *(int *)key);
}

static int *key_of(void *node) {
  return node == 0 ? 0 : *(int **)node;
}

// Trees that need no balancing; what goes beyond is a limit.
static void test_trees(void) {
  for (int round = 0; round < 200; round++) {
    int keys[4];
    void *theirs = 0, *ours = 0;
    enum end how = FINISHED;
    for (int i = 0; i < 3 && how == FINISHED; i++) {
      keys[i] = (int)below(5);
      void *volatile our_node = 0;
      CHOOSE(0);
      RUN(how, our_node = ouro_test_tsearch(&keys[i], &ours, compare));
      if (how == FINISHED)
        CHECK(key_of(tsearch(&keys[i], &theirs, compare)) == key_of(our_node), "tsearch");
    }
    CHECK(how == FINISHED || how == LIMIT, "tsearch came to %d", how);
    keys[3] = (int)below(5);
    CHECK(key_of(tfind(&keys[3], &theirs, compare)) == key_of(ouro_test_tfind(&keys[3], &ours, compare)),
          "tfind");
    char expected[sizeof walked];
    walked[0] = 0;
    twalk(theirs, visit);
    strcpy(expected, walked);
    walked[0] = 0;
    ouro_test_twalk(ours, visit);
    CHECK(!strcmp(expected, walked), "twalk: %s, ours %s", expected, walked);
    void *volatile parent = 0;
    RUN(how, parent = ouro_test_tdelete(&keys[3], &ours, compare));
    if (how == FINISHED)
      CHECK(key_of(tdelete(&keys[3], &theirs, compare)) == key_of(parent), "tdelete");
    walked[0] = 0;
    tdestroy(theirs, release);
    strcpy(expected, walked);
    walked[0] = 0;
    ouro_test_tdestroy(ours, release);
    CHECK(how != FINISHED || !strcmp(expected, walked), "tdestroy: %s, ours %s", expected, walked);
  }
}

OURS(pthread_once); OURS(call_once); OURS(pthread_mutex_init); OURS(pthread_mutex_destroy);
OURS(pthread_mutex_lock); OURS(pthread_mutex_trylock); OURS(pthread_mutex_unlock); OURS(mtx_init);
OURS(mtx_destroy); OURS(mtx_lock); OURS(mtx_trylock); OURS(mtx_unlock); OURS(sched_yield);
OURS(thrd_yield);

static int runs;

static void run(void) {
  runs++;
}

static void test_once(void) {
  pthread_once_t theirs = PTHREAD_ONCE_INIT, ours = PTHREAD_ONCE_INIT;
  once_flag flag = ONCE_FLAG_INIT;
  for (int round = 0; round < 3; round++)
    CHECK(pthread_once(&theirs, run) == ouro_test_pthread_once(&ours, run), "pthread_once");
  ouro_test_call_once(&flag, run);
  ouro_test_call_once(&flag, run);
  CHECK(runs == 3 && theirs == ours, "what runs once ran %d times", runs);
}

// Any order of locking that does not wait.
static void test_mutexes(void) {
  pthread_mutex_t theirs, ours = PTHREAD_MUTEX_INITIALIZER;
  mtx_t their_plain, our_plain;
  CHECK(pthread_mutex_init(&theirs, 0) == ouro_test_pthread_mutex_init(&ours, 0), "pthread_mutex_init");
  CHECK(mtx_init(&their_plain, mtx_plain) == ouro_test_mtx_init(&our_plain, mtx_plain), "mtx_init");
  int is_held = 0;
  for (int round = 0; round < 200; round++) {
    if (is_held && below(2)) {
      CHECK(pthread_mutex_unlock(&theirs) == ouro_test_pthread_mutex_unlock(&ours), "unlock");
      CHECK(mtx_unlock(&their_plain) == ouro_test_mtx_unlock(&our_plain), "mtx_unlock");
      is_held = 0;
    } else if (is_held || below(2)) {
      CHECK(pthread_mutex_trylock(&theirs) == ouro_test_pthread_mutex_trylock(&ours), "trylock");
      CHECK(mtx_trylock(&their_plain) == ouro_test_mtx_trylock(&our_plain), "mtx_trylock");
      is_held = 1;
    } else {
      CHECK(pthread_mutex_lock(&theirs) == ouro_test_pthread_mutex_lock(&ours), "lock");
      CHECK(mtx_lock(&their_plain) == ouro_test_mtx_lock(&our_plain), "mtx_lock");
      is_held = 1;
    }
  }
  enum end how;
  if (!is_held)
    ouro_test_pthread_mutex_lock(&ours);
  RUN(how, ouro_test_pthread_mutex_lock(&ours));
  CHECK(how == LIMIT, "waiting for a mutex that is held is a limit");
  ouro_test_pthread_mutex_unlock(&ours);
  CHECK(ouro_test_pthread_mutex_destroy(&ours) == 0, "pthread_mutex_destroy");
  ouro_test_mtx_destroy(&our_plain);
  ouro_test_thrd_yield();
  CHECK(ouro_test_sched_yield() == sched_yield(), "sched_yield");
}

void test_search(void) {
  test_arrays();
  test_links();
  test_trees();
  test_once();
  test_mutexes();
}

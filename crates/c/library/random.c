// Random numbers of <stdlib.h>: each is a choice within the documented range, as long as there is one
// sequence of them. What comes after a second seed may be an earlier sequence over again: a function of
// the seed that nobody knows, and no choice. So are the numbers of generators whose state the program
// keeps, from the second on.
#include "ouro.h"

// What is known of a generator: nothing was drawn yet, there is one sequence, there may be two.
enum { OURO_UNUSED, OURO_FIRST, OURO_AGAIN };

static void ouro_seed(int *generator) {
  if (*generator == OURO_FIRST)
    *generator = OURO_AGAIN;
}

// Whether the next number of a generator with one seed is a choice.
static int ouro_draws(int *generator) {
  if (*generator == OURO_UNUSED)
    *generator = OURO_FIRST;
  return *generator == OURO_FIRST;
}

// Whether the next number of a generator whose state the program gave is a choice.
static int ouro_draws_once(int *generator) {
  int first = *generator == OURO_UNUSED;
  *generator = OURO_AGAIN;
  return first;
}

#define OURO_REPEATED "a random number that may have been drawn before"
#define OURO_POSITIVE(is_choice, name)                                                             \
  ((is_choice) ? OURO_CHOOSE(name, 0, INT_MAX) : (int)(__ouro_unknown_uint(OURO_REPEATED) >> 1))
#define OURO_INTEGER(is_choice, name)                                                              \
  ((is_choice) ? __ouro_choice_int(name) : (int)__ouro_unknown_uint(OURO_REPEATED))

// With glibc, `rand` and `random` are one generator.
static int ouro_generator;

// audit: rand: fails no; short no; interrupted no; stores no; calls back no
int rand(void) {
  return OURO_POSITIVE(ouro_draws(&ouro_generator), "rand");
}

// audit: srand: fails no; short no; interrupted no; stores no; calls back no
void srand(unsigned seed) {
  (void)seed;
  ouro_seed(&ouro_generator);
}

// audit: random: fails no; short no; interrupted no; stores no; calls back no
long random(void) {
  return OURO_POSITIVE(ouro_draws(&ouro_generator), "random");
}

// audit: srandom: fails no; short no; interrupted no; stores no; calls back no
void srandom(unsigned seed) {
  (void)seed;
  ouro_seed(&ouro_generator);
}

// audit: rand_r: fails no; short no; interrupted no; stores the seed; calls back no
int rand_r(unsigned *seed) {
  static int ouro_generator_of_seeds;
  if (ouro_draws_once(&ouro_generator_of_seeds)) {
    *seed = __ouro_choice_uint("rand_r");
    return OURO_CHOOSE("rand_r", 0, INT_MAX);
  }
  *seed = __ouro_unknown_uint(OURO_REPEATED);
  return (int)(__ouro_unknown_uint(OURO_REPEATED) >> 1);
}

// audit: arc4random: fails no; short no; interrupted no; stores no; calls back no
unsigned arc4random(void) {
  return __ouro_choice_uint("arc4random");
}

// audit: arc4random_uniform: fails no; short no; interrupted no; stores no; calls back no
unsigned arc4random_uniform(unsigned limit) {
  if (limit < 2)
    return 0;
  unsigned value = __ouro_choice_uint("arc4random_uniform");
  __ouro_assume(value < limit);
  return value;
}

// The generator of 48 bits. The state that it starts with is as unknown as a seed.
static int ouro_generator_48;

// From 0 to 1, without 1: 48 bits behind the point.
static double ouro_fraction(unsigned long long bits) {
  return (double)(bits >> 16) * 0x1p-48;
}

static double ouro_unknown_fraction(void) {
  unsigned high = __ouro_unknown_uint(OURO_REPEATED);
  unsigned low = __ouro_unknown_uint(OURO_REPEATED);
  return ouro_fraction((unsigned long long)high << 32 | low);
}

static int ouro_shuffle(unsigned short state[3]) {
  if (ouro_draws_once(&ouro_generator_48)) {
    state[0] = __ouro_choice_ushort("a random state");
    state[1] = __ouro_choice_ushort("a random state");
    state[2] = __ouro_choice_ushort("a random state");
    return 1;
  }
  unsigned bits = __ouro_unknown_uint(OURO_REPEATED);
  state[0] = (unsigned short)bits;
  state[1] = (unsigned short)(bits >> 16);
  state[2] = (unsigned short)__ouro_unknown_uint(OURO_REPEATED);
  return 0;
}

// audit: drand48: fails no; short no; interrupted no; stores no; calls back no
double drand48(void) {
  if (ouro_draws(&ouro_generator_48))
    return ouro_fraction(__ouro_choice_ulonglong("drand48"));
  return ouro_unknown_fraction();
}

// audit: erand48: fails no; short no; interrupted no; stores the state; calls back no
double erand48(unsigned short state[3]) {
  if (ouro_shuffle(state))
    return ouro_fraction(__ouro_choice_ulonglong("erand48"));
  return ouro_unknown_fraction();
}

// audit: lrand48: fails no; short no; interrupted no; stores no; calls back no
long lrand48(void) {
  return OURO_POSITIVE(ouro_draws(&ouro_generator_48), "lrand48");
}

// audit: nrand48: fails no; short no; interrupted no; stores the state; calls back no
long nrand48(unsigned short state[3]) {
  return OURO_POSITIVE(ouro_shuffle(state), "nrand48");
}

// audit: mrand48: fails no; short no; interrupted no; stores no; calls back no
long mrand48(void) {
  return OURO_INTEGER(ouro_draws(&ouro_generator_48), "mrand48");
}

// audit: jrand48: fails no; short no; interrupted no; stores the state; calls back no
long jrand48(unsigned short state[3]) {
  return OURO_INTEGER(ouro_shuffle(state), "jrand48");
}

// audit: srand48: fails no; short no; interrupted no; stores no; calls back no
void srand48(long seed) {
  (void)seed;
  ouro_seed(&ouro_generator_48);
}

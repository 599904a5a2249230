// Random numbers of <stdlib.h>: each is a choice within the documented range. Seeds change nothing.
#include "ouro.h"

int rand(void) {
  return OURO_CHOOSE("rand", 0, INT_MAX);
}

void srand(unsigned seed) {
  (void)seed;
}

int rand_r(unsigned *seed) {
  *seed = __ouro_choice_uint("rand_r");
  return OURO_CHOOSE("rand_r", 0, INT_MAX);
}

long random(void) {
  return OURO_CHOOSE("random", 0, INT_MAX);
}

void srandom(unsigned seed) {
  (void)seed;
}

unsigned arc4random(void) {
  return __ouro_choice_uint("arc4random");
}

unsigned arc4random_uniform(unsigned limit) {
  if (limit < 2)
    return 0;
  unsigned value = __ouro_choice_uint("arc4random_uniform");
  __ouro_assume(value < limit);
  return value;
}

// From 0 to 1, without 1.
static double ouro_fraction(double value) {
  __ouro_assume(value >= 0.0);
  __ouro_assume(value < 1.0);
  return value;
}

static void ouro_shuffle(unsigned short state[3]) {
  state[0] = __ouro_choice_ushort("a random state");
  state[1] = __ouro_choice_ushort("a random state");
  state[2] = __ouro_choice_ushort("a random state");
}

double drand48(void) {
  return ouro_fraction(__ouro_choice_double("drand48"));
}

double erand48(unsigned short state[3]) {
  ouro_shuffle(state);
  return ouro_fraction(__ouro_choice_double("erand48"));
}

long lrand48(void) {
  return OURO_CHOOSE("lrand48", 0, INT_MAX);
}

long nrand48(unsigned short state[3]) {
  ouro_shuffle(state);
  return OURO_CHOOSE("nrand48", 0, INT_MAX);
}

long mrand48(void) {
  return __ouro_choice_int("mrand48");
}

long jrand48(unsigned short state[3]) {
  ouro_shuffle(state);
  return __ouro_choice_int("jrand48");
}

void srand48(long seed) {
  (void)seed;
}

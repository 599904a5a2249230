// Constructors, destructors and atexit: what runs before and after main, in which order.
#include <stdio.h>
#include <stdlib.h>

static int ready;

__attribute__((constructor(200))) static void second(void) { printf("second %d\n", ready++); }
__attribute__((constructor(101))) static void first(void) { printf("first %d\n", ready++); }
__attribute__((constructor)) static void third(void) { printf("third %d\n", ready++); }
__attribute__((destructor(101))) static void last(void) { printf("last\n"); }
__attribute__((destructor)) static void early(void) { printf("early\n"); }

static void nested(void) { printf("nested\n"); }
static void one(void) {
    printf("one\n");
    atexit(nested);
}
static void two(void) { printf("two\n"); }

int main(void) {
    printf("main %d\n", ready);
    atexit(one);
    atexit(two);
    if (ready == 3) exit(7);
    return 1;
}

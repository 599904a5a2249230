// Endless for a first event PING: ping posts pong and pong posts ping, so the queue is never empty.
#include <stdio.h>

extern unsigned int __VERIFIER_nondet_uint(void);

#define CAP 4u

enum event { QUIT, PING, PONG, TICK, EVENTS };

static unsigned queue[CAP], head, size;

static void post(unsigned e)
{
    if (size < CAP)
        queue[(head + size++) % CAP] = e;
}

static void on_quit(void) { size = 0; }
static void on_ping(void) { post(PONG); }
static void on_pong(void) { post(PING); }
static void on_tick(void) { }

static void (*const handlers[EVENTS])(void) = { on_quit, on_ping, on_pong, on_tick };

int main(void)
{
    post(__VERIFIER_nondet_uint() % EVENTS);
    while (size > 0) {
        unsigned e = queue[head];
        head = (head + 1) % CAP;
        size--;
        handlers[e]();
    }
    puts("idle");
    return 0;
}

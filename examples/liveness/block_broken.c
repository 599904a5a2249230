// As block.c, but a device that is broken makes it leave without unblocking.
#define BUSY 1
#define BROKEN 2

extern int try_device(int number);

static int blocked;

static void block(void) { blocked = 1; }
static void unblock(void) { blocked = 0; }

int main(void) {
    block();
    for (int device = 0; device < 4; device++) {
        int answer;
        while ((answer = try_device(device)) == BUSY) {
        }
        if (answer == BROKEN)
            return 1;
    }
    unblock();
    return 0;
}

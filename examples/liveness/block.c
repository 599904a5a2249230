// Blocks initialisation, tries devices one after the other, and unblocks it: each try can be
// repeated, but not forever if the system is fair.
#define BUSY 1

extern int try_device(int number);

static int blocked;

static void block(void) { blocked = 1; }
static void unblock(void) { blocked = 0; }

int main(void) {
    block();
    for (int device = 0; device < 4; device++) {
        while (try_device(device) == BUSY) {
        }
    }
    unblock();
    return 0;
}

// As level.c, but the work may raise the level again, to a lower one.
extern int work(void);

static int level = 0;

static void raise_level(int to, int *old) {
    *old = level;
    level = to;
}

static void lower_level(int to) { level = to; }

int main(void) {
    for (int turn = 0; turn < 3; turn++) {
        int old;
        raise_level(2, &old);
        int left = work() & 7;
        if (left == 7) {
            int again;
            raise_level(1, &again);
            lower_level(again);
        }
        while (left > 0)
            left--;
        lower_level(old);
    }
    return 0;
}

// As level.c, but it does not lower the level quite to what it was.
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
        while (left > 0)
            left--;
        lower_level(old + 1);
    }
    return 0;
}

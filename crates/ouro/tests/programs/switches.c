// switch: falling through, ranges, 64 bits, characters, nested, with declarations, and Duff's device.
#include <stdio.h>

static int ranges(int x) {
    switch (x) {
    case -5 ... -1: return 1;
    case 0: return 2;
    case 1 ... 9:
    case 100: return 3;
    case 10 ... 99: return 4;
    default: return 5;
    }
}

static int falling(unsigned char x) {
    int r = 0;
    switch (x) {
    default: r += 1000;
    case 1: r += 1;
    case 2: r += 2; break;
    case 3: r += 4;
    case 255: r += 8;
    }
    return r;
}

static const char *large(long long x) {
    switch (x) {
    case 0x100000000: return "four";
    case -0x100000000: return "minus";
    case 0x7fffffffffffffff: return "most";
    case 0: return "none";
    }
    return "other";
}

static void copy(char *to, const char *from, int count) {
    int n = (count + 3) / 4;
    switch (count % 4) {
    case 0: do { *to++ = *from++;
    case 3: *to++ = *from++;
    case 2: *to++ = *from++;
    case 1: *to++ = *from++;
            } while (--n > 0);
    }
}

int main(void) {
    for (int x = -6; x < 102; x += 4) printf("%d", ranges(x));
    printf("\n");
    for (int x = 0; x < 5; x++) printf("%d ", falling((unsigned char)x));
    printf("%d\n", falling((unsigned char)-1));
    printf("%s %s %s %s %s\n", large(1ll << 32), large(-(1ll << 32)), large(~(1ull << 63)), large(0), large(4));
    char text[20] = {0};
    copy(text, "copied by Duff", 14);
    printf("%s\n", text);
    int loops = 0;
    for (int i = 0;; i++) {
        switch (i) {
        case 3: continue;
        case 7: goto out;
        default: {
            int local = i;
            switch (local & 1) { case 0: loops += 10; break; case 1: loops++; }
        }
        }
        loops += 100;
    }
out:
    printf("%d\n", loops);
    switch (loops) {}
    switch (sizeof(int)) { case 4: printf("int\n"); }
    return 0;
}

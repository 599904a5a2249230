// A light that is switched on and off forever: it never stays as it is.
static int on = 0;

int main(void) {
    while (1)
        on = !on;
}

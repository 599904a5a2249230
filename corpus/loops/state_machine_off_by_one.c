/* The last state is the third; state is taken modulo three and never gets there. */
enum state { IDLE, RUNNING, STOPPING, DONE };

int main(void)
{
    int state = IDLE;
    unsigned ticks = 0;
    while (state != DONE) {
        ticks++;
        state = (state + 1) % 3;
    }
    return ticks;
}

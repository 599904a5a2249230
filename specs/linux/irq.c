// An interrupt line: freed, unless the input is 1 (forgotten), and enabled again, unless it is 2.
extern int request_irq(unsigned int irq, int (*handler)(int), unsigned long flags, const char *name, void *device);
extern void free_irq(unsigned int irq, void *device);
extern void disable_irq(unsigned int irq);
extern void enable_irq(unsigned int irq);

extern int input(void);

static int handler(int irq) { return irq; }

int main(void) {
    if (request_irq(5, handler, 0, "line", 0) != 0) return 1;
    disable_irq(5);
    int way = input();
    if (way != 2) enable_irq(5);
    if (way == 1) return 0;
    free_irq(5, 0);
    return 0;
}

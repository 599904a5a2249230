// Looks for a device name that nobody has. It ends only if the system does not answer "taken" forever.
#define CREATED 0
#define NAME_TAKEN 2

extern int create_device(int number);

int main(void) {
    int number = 0;
    while (create_device(number) == NAME_TAKEN) {
        // Ten names are enough for everyone; then from the start.
        number = number == 9 ? 0 : number + 1;
    }
    return 0;
}

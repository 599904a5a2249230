// input: 4096
int main(void) {
    int *p;
    return *p; // undefined: read through an uninitialised pointer
}

static struct { char name[4]; int value; } record;
int main(void) {
    for (int i = 0;; i++)
        record.name[i] = 'x'; // undefined: write of 1 byte at offset 8 of record, which has 8
}

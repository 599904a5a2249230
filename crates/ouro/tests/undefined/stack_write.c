int main(void) {
    int table[3][3];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            table[i][j + (i == 2)] = i; // undefined: write of 4 bytes at offset 36 of table, which has 36
    return 0;
}

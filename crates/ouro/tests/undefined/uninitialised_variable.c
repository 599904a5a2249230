int main(void) {
    int count;
    for (int i = 0; i < 3; i++)
        count += i; // asks for: uninitialised variable count
    return count;
}

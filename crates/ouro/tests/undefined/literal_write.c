int main(void) {
    char *text = "text";
    text[0] = 'T'; // undefined: write to "text", which is constant
    return 0;
}

int main(void)
{
    char text[4] = "ab";
    char *p = text;
    while (*p) {
        if (*p == 'b')
            p = text;
        else
            p++;
    }
    return 0;
}

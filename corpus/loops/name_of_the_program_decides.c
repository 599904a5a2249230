/* Whoever starts a program says what it is called. */
int main(int argc, char **argv)
{
    if (argc < 1 || argv[0][0] == 'p')
        return 0;
    for (;;)
        ;
}

struct flags {
    unsigned count : 3;
} flags;

int main(void)
{
    while (flags.count < 8)
        flags.count++;
    return 0;
}

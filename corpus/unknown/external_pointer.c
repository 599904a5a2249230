extern int *shared;

int main(void)
{
    while (*shared)
        ;
    return 0;
}

/* The inner loop of two: with columns == INT_MAX every int is at most that. */
extern int read_number(void);

int main(void)
{
    int rows = read_number(), columns = read_number();
    for (int i = 0; i < rows; i++)
        for (int j = 0; j <= columns; j++)
            ;
    return 0;
}

/* No int is as large as the bound. */
int main(void)
{
    int count = 0;
    for (int i = 0; i < 3000000000L; i++)
        count = i;
    return count;
}

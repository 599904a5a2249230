/* One is too little to change such a number. */
int main(void)
{
    double x = 9007199254740000.0;
    while (x < 9007199254741000.0) {
        x += 1.0;
    }
    return 0;
}

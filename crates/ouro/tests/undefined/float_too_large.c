int main(void) {
    double d = 1e10;
    return (int)d; // undefined: a float that does not fit the integer type it is converted to
}

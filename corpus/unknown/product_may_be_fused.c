/* For a processor with fused operations clang does not round the product before the difference, gcc at -O0 does:
   the one program ends, the other does not. */
double tenth = 0.1, ten = 10.0, one = 1.0;

__attribute__((target("fma"))) int main(void)
{
    while (tenth * ten - one == 0) {
    }
    return 0;
}

union word {
    float f;
    unsigned u;
};

int main(void)
{
    union word w;
    w.f = 1.0f;
    while (w.u != 0x3f800000u)
        ;
    return 0;
}

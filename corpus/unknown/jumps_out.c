#include <setjmp.h>

static jmp_buf out;

int main(void)
{
    if (setjmp(out))
        return 0;
    for (;;)
        longjmp(out, 1);
}

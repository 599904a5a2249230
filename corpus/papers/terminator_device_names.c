/* TERMINATOR, Figure 8: a driver asks for another name as long as there is a collision, and nothing here is
   fair. The number of the name is unsigned, so that counting is no end.
   truth: c loops, wrap loops, unbounded loops */
#include <stddef.h>
#define STATUS_SUCCESS 0
#define STATUS_OBJECT_NAME_COLLISION 1
extern int __VERIFIER_nondet_int(void);
static void PPBlockInits(void) { }
static void PPUnblockInits(void) { }
static void ExFreePool(char *name) { *name = 0; }
static char name[8];
static char *PPMakeDeviceName(int lpt, int type, int id, unsigned num)
{
    if (__VERIFIER_nondet_int())
        return NULL;
    name[0] = (char)('0' + num % 10);
    return name;
}
static int IoCreateDevice(char *device, void **pdo)
{
    *pdo = device;
    return __VERIFIER_nondet_int();
}

int main(void)
{
    int i = 0, PdoLen = 4, PdoType = 1, status;
    unsigned num = 0;
    int lptName[4] = { 1, 2, 3, 4 }, dcId[4] = { 5, 6, 7, 8 };
    void *Pdo[4];
    char *DName;
    PPBlockInits();
    while (i < PdoLen) {
        DName = PPMakeDeviceName(lptName[i], PdoType, dcId[i], num);
        if (!DName) { break; }
        status = IoCreateDevice(DName, &Pdo[i]);
        if (STATUS_SUCCESS != status) {
            Pdo[i] = NULL;
            if (STATUS_OBJECT_NAME_COLLISION == status) {
                ExFreePool(DName);
                num++;
                continue;
            }
            break;
        } else {
            i++;
        }
    }
    num = 0;
    PPUnblockInits();
    return 0;
}

/* A forward analysis for recurrent sets, Example 5 (Figure 13): an entry that was removed points at itself.
   truth: c loops, wrap loops, unbounded loops */
#include <stddef.h>
typedef char CHAR;
typedef struct list_entry { struct list_entry *Flink, *Blink; } LIST_ENTRY;
typedef struct { void *FileObject; } IO_STACK_LOCATION;
typedef struct {
    int cancel;
    IO_STACK_LOCATION stack;
    struct { struct { LIST_ENTRY ListEntry; } Overlay; } Tail;
} IRP;
typedef struct { LIST_ENTRY ReadQueue; } DEVICE_EXTENSION;
extern int __VERIFIER_nondet_int(void);

static void InitializeListHead(LIST_ENTRY *head) { head->Flink = head->Blink = head; }
static void RemoveEntryList(LIST_ENTRY *entry)
{
    entry->Blink->Flink = entry->Flink;
    entry->Flink->Blink = entry->Blink;
}
static void InsertTailList(LIST_ENTRY *head, LIST_ENTRY *entry)
{
    entry->Flink = head;
    entry->Blink = head->Blink;
    head->Blink->Flink = entry;
    head->Blink = entry;
}
static IO_STACK_LOCATION *IoGetCurrentIrpStackLocation(IRP *irp) { return &irp->stack; }
static int IoSetCancelRoutine(IRP *irp, void *routine)
{
    int was = irp->cancel;
    irp->cancel = routine != NULL;
    return was;
}

static IRP *dequeue(DEVICE_EXTENSION *DeviceExtension, void *FileObject)
{
    LIST_ENTRY *entry;
    IRP *irp;
    IO_STACK_LOCATION *stack;
    for (entry = DeviceExtension->ReadQueue.Flink;
         entry != &DeviceExtension->ReadQueue;
         entry = entry->Flink) {
        irp = (IRP *)((CHAR *)(entry) - offsetof(IRP, Tail.Overlay.ListEntry));
        stack = IoGetCurrentIrpStackLocation(irp);
        if (stack->FileObject == FileObject) {
            RemoveEntryList(entry);
            if (IoSetCancelRoutine(irp, NULL)) {
                return irp;
            } else {
                InitializeListHead(&irp->Tail.Overlay.ListEntry);
            }
        }
    }
    return NULL;
}

int main(void)
{
    static int files[2];
    DEVICE_EXTENSION extension;
    IRP irps[3];
    InitializeListHead(&extension.ReadQueue);
    for (int i = 0; i < 3; i++) {
        irps[i].cancel = __VERIFIER_nondet_int() & 1;
        irps[i].stack.FileObject = &files[__VERIFIER_nondet_int() & 1];
        InsertTailList(&extension.ReadQueue, &irps[i].Tail.Overlay.ListEntry);
    }
    return dequeue(&extension, &files[0]) != NULL;
}

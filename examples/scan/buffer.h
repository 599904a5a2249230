#ifndef BUFFER_H
#define BUFFER_H

#include <stddef.h>

struct buffer {
    size_t used;
    size_t size;
    char *bytes;
};

size_t count_lines(const struct buffer *buffer);
void clear(struct buffer *buffer);
size_t length(const char *text);
unsigned digits(unsigned long number);
int middle(int low, int high);

#endif

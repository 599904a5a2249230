#include "buffer.h"

int count_lines(const struct buffer *buffer)
{
    int lines = 0;
    for (int i = 0; i < buffer->used; i++)
        if (buffer->bytes[i] == '\n')
            lines++;
    return lines;
}

/* The bytes that are written could be those of the buffer's own size, so the finding says what is assumed. */
void clear(struct buffer *buffer)
{
    for (int i = 0; i < buffer->size; i++)
        buffer->bytes[i] = 0;
    buffer->used = 0;
}

int length(const char *text, int most)
{
    int count = 0;
    while (count < most && text[count] != '\0')
        count++;
    return count;
}

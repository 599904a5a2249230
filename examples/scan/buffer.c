#include "buffer.h"

size_t count_lines(const struct buffer *buffer)
{
    size_t lines = 0;
    for (size_t i = 0; i < buffer->used; i++)
        if (buffer->bytes[i] == '\n')
            lines++;
    return lines;
}

/* The bytes that are written could be those of the buffer's own size, so the finding says what is assumed. */
void clear(struct buffer *buffer)
{
    for (size_t i = 0; i < buffer->size; i++)
        buffer->bytes[i] = 0;
    buffer->used = 0;
}

size_t length(const char *text)
{
    const char *end = text;
    while (*end != '\0')
        end++;
    return (size_t)(end - text);
}

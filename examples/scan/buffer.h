#ifndef BUFFER_H
#define BUFFER_H

struct buffer {
    int used;
    int size;
    char *bytes;
};

int count_lines(const struct buffer *buffer);
void clear(struct buffer *buffer);
int length(const char *text, int most);
unsigned digits(unsigned long number);
int middle(int low, int high);

#endif

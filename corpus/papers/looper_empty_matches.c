/* LOOPER, Figure 4: a search goes on by the length of a match, which is none. What the figure calls is
   written as its text says: one line, the pattern for the beginning of a line, results in front of a list.
   truth: c overflow, wrap loops, unbounded loops */
#include <stdlib.h>
struct match { int start, end; };
struct occur { int start, end; struct occur *next; };
struct result { int line; struct occur *occurs; };

static int line_of_offset(int offset) { return offset < 6 ? 0 : 1; }
static int line_start_offset(int line) { return line == 0 ? 0 : 6; }

static struct match found;
static struct match *next_match(const char *text, int length, int start_of_line)
{
    if (length <= 0 || !start_of_line)
        return NULL;
    found.start = 0;
    found.end = 0;
    return &found;
}

static void add_occur(struct result *result, int start, int end)
{
    struct occur *occur = malloc(sizeof *occur);
    if (occur == NULL)
        exit(1);
    occur->start = start;
    occur->end = end;
    occur->next = result->occurs;
    result->occurs = occur;
}

int main(void)
{
    const char *buffer = "hello\nworld\n";
    int start = 0, end = 12, result_count = 0;
    int offset = start;
    struct result *last_result = NULL;
    for (int counter = 0; ; counter++) {
        int line = line_of_offset(offset);
        int start_of_line = line_start_offset(line) == offset;
        struct match *match = next_match(buffer + offset, end - offset, start_of_line);
        if (match == NULL) break;
        int new_line = line_of_offset(offset + match->start);
        if (last_result == NULL || last_result->line != new_line) {
            last_result = malloc(sizeof *last_result);
            if (last_result == NULL)
                exit(1);
            last_result->line = new_line;
            last_result->occurs = NULL;
        }
        add_occur(last_result, offset + match->start, offset + match->end);
        offset += match->end;
        result_count++;
    }
    return result_count;
}

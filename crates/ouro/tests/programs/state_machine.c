// A small program like real ones: a tokenizer, a recursive parser and an evaluator of expressions.
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum token { END, NUMBER, NAME, SYMBOL };
struct lexer { const char *at; enum token token; long number; char name[16]; char symbol; };
struct node { char op; long value; char name[16]; struct node *left, *right; };

static void advance(struct lexer *l) {
    while (isspace((unsigned char)*l->at)) l->at++;
    if (!*l->at) {
        l->token = END;
    } else if (isdigit((unsigned char)*l->at)) {
        char *end;
        l->token = NUMBER;
        l->number = strtol(l->at, &end, 10);
        l->at = end;
    } else if (isalpha((unsigned char)*l->at)) {
        size_t n = 0;
        while (isalnum((unsigned char)*l->at) && n < sizeof l->name - 1) l->name[n++] = *l->at++;
        l->name[n] = 0;
        l->token = NAME;
    } else {
        l->token = SYMBOL;
        l->symbol = *l->at++;
    }
}

static struct node *make(char op, struct node *left, struct node *right) {
    struct node *n = calloc(1, sizeof *n);
    n->op = op, n->left = left, n->right = right;
    return n;
}

static struct node *expression(struct lexer *l, int level);

static struct node *atom(struct lexer *l) {
    struct node *n = make('?', NULL, NULL);
    if (l->token == NUMBER) n->op = '#', n->value = l->number;
    else if (l->token == NAME) n->op = '$', strcpy(n->name, l->name);
    else if (l->token == SYMBOL && l->symbol == '(') {
        advance(l);
        free(n);
        n = expression(l, 0);
    } else if (l->token == SYMBOL && l->symbol == '-') {
        advance(l);
        n->op = '~', n->left = atom(l);
        return n;
    }
    advance(l);
    return n;
}

static struct node *expression(struct lexer *l, int level) {
    static const char *const levels[] = {"+-", "*/%"};
    if (level == 2) return atom(l);
    struct node *n = expression(l, level + 1);
    while (l->token == SYMBOL && strchr(levels[level], l->symbol)) {
        char op = l->symbol;
        advance(l);
        n = make(op, n, expression(l, level + 1));
    }
    return n;
}

static long evaluate(struct node *n) {
    long a = n->left ? evaluate(n->left) : 0, b = n->right ? evaluate(n->right) : 0, r = 0;
    switch (n->op) {
    case '#': r = n->value; break;
    case '$': r = (long)strlen(n->name); break;
    case '~': r = -a; break;
    case '+': r = a + b; break;
    case '-': r = a - b; break;
    case '*': r = a * b; break;
    case '/': r = b ? a / b : 0; break;
    case '%': r = b ? a % b : 0; break;
    default: printf("error ");
    }
    free(n);
    return r;
}

int main(void) {
    const char *lines[] = {"1 + 2 * 3", "(1 + 2) * 3", "-(4 - 10) % 4", "abc * x1 - -7", "100 / (5 - 5)",
                           "2 * (3 + 4) * (5 - (6 - 7))", "1 +", ""};
    for (unsigned i = 0; i < sizeof lines / sizeof *lines; i++) {
        struct lexer l = {.at = lines[i]};
        advance(&l);
        printf("%s = %ld\n", lines[i], evaluate(expression(&l, 0)));
    }
    return 0;
}

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ctype.h>

#define MAXLOOPS 4
#define FUEL 2000

struct stmt {
    int number;
    char *text;
    struct stmt *next;
};

struct loop {
    int var;
    int limit;
    int step;
    struct stmt *body;
};

static struct stmt *program;
static int vars[26];
static struct loop loops[MAXLOOPS];
static int nloops;
static const char *ip;
static int failed;

static void oops(const char *msg)
{
    if (!failed)
        printf("%s\n", msg);
    failed = 1;
}

static void blanks(void)
{
    while (*ip == ' ')
        ip++;
}

static int keyword(const char *w)
{
    size_t n = strlen(w);

    blanks();
    if (strncmp(ip, w, n) != 0)
        return 0;
    ip += n;
    return 1;
}

static int expr(void);

static int atom(void)
{
    int v = 0;

    blanks();
    if (isdigit((unsigned char)*ip)) {
        while (isdigit((unsigned char)*ip)) {
            v = v * 10 + (*ip++ - '0');
            if (v > 30000)
                v = 30000;
        }
        return v;
    }
    if (isupper((unsigned char)*ip))
        return vars[*ip++ - 'A'];
    if (*ip == '-') {
        ip++;
        return -atom();
    }
    if (*ip == '(') {
        ip++;
        v = expr();
        blanks();
        if (*ip == ')')
            ip++;
        else
            oops("missing )");
        return v;
    }
    oops("syntax");
    return 0;
}

static int expr(void)
{
    int v = atom();

    for (;;) {
        blanks();
        if (*ip == '+') {
            ip++;
            v += atom();
        } else if (*ip == '-') {
            ip++;
            v -= atom();
        } else {
            return v % 30001;
        }
        if (failed)
            return 0;
    }
}

static int condition(void)
{
    int a = expr(), b;
    char op;

    blanks();
    op = *ip;
    if (op != '<' && op != '>' && op != '=') {
        oops("syntax");
        return 0;
    }
    ip++;
    b = expr();
    return op == '<' ? a < b : op == '>' ? a > b : a == b;
}

static struct stmt **place(int number)
{
    struct stmt **pp = &program;

    while (*pp != NULL && (*pp)->number < number)
        pp = &(*pp)->next;
    return pp;
}

static void store(int number, const char *text)
{
    struct stmt **pp = place(number), *s = *pp;

    if (s == NULL || s->number != number) {
        s = malloc(sizeof *s);
        if (s == NULL)
            exit(3);
        s->number = number;
        s->next = *pp;
        *pp = s;
    } else {
        free(s->text);
    }
    s->text = malloc(strlen(text) + 1);
    if (s->text == NULL)
        exit(3);
    strcpy(s->text, text);
}

static int variable(void)
{
    blanks();
    if (!isupper((unsigned char)*ip)) {
        oops("variable?");
        return 0;
    }
    return *ip++ - 'A';
}

static void assign(int v)
{
    blanks();
    if (*ip != '=') {
        oops("syntax");
        return;
    }
    ip++;
    vars[v] = expr();
}

static struct stmt *step(struct stmt *s)
{
    struct stmt *next = s->next;
    struct loop *l;
    int v;

    ip = s->text;
    if (keyword("PRINT")) {
        v = expr();
        if (!failed)
            printf("%d\n", v);
    } else if (keyword("LET")) {
        assign(variable());
    } else if (keyword("GOTO")) {
        next = *place(expr());
    } else if (keyword("IF")) {
        v = condition();
        if (!keyword("THEN"))
            oops("no THEN");
        else if (v)
            next = *place(expr());
    } else if (keyword("FOR")) {
        if (nloops == MAXLOOPS) {
            oops("too many loops");
            return NULL;
        }
        l = &loops[nloops++];
        l->var = variable();
        assign(l->var);
        l->limit = keyword("TO") ? expr() : 0;
        l->step = keyword("STEP") ? expr() : 1;
        l->body = next;
    } else if (keyword("NEXT")) {
        if (nloops == 0) {
            oops("NEXT without FOR");
            return NULL;
        }
        l = &loops[nloops - 1];
        vars[l->var] += l->step;
        if (l->step < 0 ? vars[l->var] > l->limit : vars[l->var] <= l->limit)
            next = l->body;
        else
            nloops--;
    } else if (keyword("END")) {
        return NULL;
    } else {
        oops("what?");
    }
    return next;
}

static void run(void)
{
    struct stmt *s = program;
    int fuel = FUEL;

    memset(vars, 0, sizeof vars);
    nloops = 0;
    failed = 0;
    while (s != NULL && !failed) {
        if (fuel-- == 0)
            oops("too long");
        else
            s = step(s);
    }
}

int main(void)
{
    char line[120];

    while (fgets(line, sizeof line, stdin) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        ip = line;
        blanks();
        if (isdigit((unsigned char)*ip)) {
            int n = atom();

            blanks();
            store(n, ip);
        } else if (strncmp(ip, "RUN", 3) == 0) {
            run();
        } else if (*ip != '\0') {
            printf("what?\n");
        }
    }
    return 0;
}

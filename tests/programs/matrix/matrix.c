/* matrix: a calculator for small matrices of floating-point numbers.
 *
 * Commands on stdin, one per line; matrices are named A to H:
 *
 *   let A 2x2 1 2 3 4      print A          add C A B     sub C A B     mul C A B
 *   scale A 2.5            transpose B A    det A         invert B A    trace A
 *   identity A 3           solve A B        norm A        compare A B [EPSILON]
 *
 * Exit status: 0 good, 1 a command failed, 2 wrong usage, 3 matrices that are compared differ. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_SIZE = 4, MAX_MATRICES = 8, MAX_WORDS = 24, MAX_LINE = 256 };

struct matrix {
    int rows, columns;
    double at[MAX_SIZE][MAX_SIZE];
};

static struct matrix matrices[MAX_MATRICES];
static char *words[MAX_WORDS];
static int word_count, line, differences;
static int precision = 3;

static double magnitude(double x)
{
    return x < 0 ? -x : x;
}

static int parse_number(const char *text, double *value)
{
    char *end;
    *value = strtod(text, &end);
    if (end == text || *end != '\0')
        return 0;
    return magnitude(*value) <= 1e12;
}

/* The matrix that a word names, or NULL. */
static struct matrix *named(int word)
{
    if (word >= word_count || words[word][1] != '\0')
        return NULL;
    char c = words[word][0];
    if (c < 'A' || c >= 'A' + MAX_MATRICES)
        return NULL;
    return &matrices[c - 'A'];
}

/* The same, if it has been set. */
static struct matrix *operand(int word)
{
    struct matrix *m = named(word);
    return m != NULL && m->rows > 0 ? m : NULL;
}

static void print(const struct matrix *m)
{
    for (int i = 0; i < m->rows; i++) {
        for (int j = 0; j < m->columns; j++) {
            double value = m->at[i][j];
            /* No "-0" in the output. */
            if (value == 0)
                value = 0;
            printf("%s%.*g", j > 0 ? " " : "", precision, value);
        }
        putchar('\n');
    }
}

static const char *let(void)
{
    struct matrix m = {0}, *to = named(1);
    char extra;
    if (to == NULL || word_count < 3)
        return "name and size expected";
    if (sscanf(words[2], "%dx%d%c", &m.rows, &m.columns, &extra) != 2)
        return "size is ROWSxCOLUMNS";
    if (m.rows < 1 || m.rows > MAX_SIZE || m.columns < 1 || m.columns > MAX_SIZE)
        return "size is out of range";
    if (word_count != 3 + m.rows * m.columns)
        return "number of elements does not match the size";
    for (int i = 0; i < m.rows * m.columns; i++)
        if (!parse_number(words[3 + i], &m.at[i / m.columns][i % m.columns]))
            return "bad element";
    *to = m;
    return NULL;
}

static const char *identity(void)
{
    struct matrix *to = named(1);
    int n = word_count > 2 ? atoi(words[2]) : 0;
    if (to == NULL || n < 1 || n > MAX_SIZE)
        return "name and size expected";
    memset(to, 0, sizeof *to);
    to->rows = to->columns = n;
    for (int i = 0; i < n; i++)
        to->at[i][i] = 1;
    return NULL;
}

/* add, sub and mul. */
static const char *binary(void)
{
    struct matrix *to = named(1), *a = operand(2), *b = operand(3), m = {0};
    if (to == NULL || a == NULL || b == NULL)
        return "three matrices expected";
    int multiply = strcmp(words[0], "mul") == 0;
    if (multiply ? a->columns != b->rows : a->rows != b->rows || a->columns != b->columns)
        return "sizes do not fit";
    double sign = strcmp(words[0], "sub") == 0 ? -1 : 1;
    m.rows = a->rows;
    m.columns = b->columns;
    for (int i = 0; i < m.rows; i++) {
        for (int j = 0; j < m.columns; j++) {
            if (!multiply) {
                m.at[i][j] = a->at[i][j] + sign * b->at[i][j];
                continue;
            }
            for (int k = 0; k < a->columns; k++)
                m.at[i][j] += a->at[i][k] * b->at[k][j];
        }
    }
    *to = m;
    return NULL;
}

static const char *scale(void)
{
    struct matrix *a = operand(1);
    double by;
    if (a == NULL || word_count != 3 || !parse_number(words[2], &by))
        return "matrix and number expected";
    for (int i = 0; i < a->rows; i++)
        for (int j = 0; j < a->columns; j++)
            a->at[i][j] *= by;
    return NULL;
}

static const char *transpose(void)
{
    struct matrix *to = named(1), *a = operand(2), m = {0};
    if (to == NULL || a == NULL)
        return "two matrices expected";
    m.rows = a->columns;
    m.columns = a->rows;
    for (int i = 0; i < m.rows; i++)
        for (int j = 0; j < m.columns; j++)
            m.at[i][j] = a->at[j][i];
    *to = m;
    return NULL;
}

/* Gauss-Jordan elimination of `a` with the same steps on `b`; returns the determinant. */
static double eliminate(struct matrix *a, struct matrix *b)
{
    double determinant = 1;
    int n = a->rows;
    for (int column = 0; column < n; column++) {
        int pivot = column;
        for (int i = column + 1; i < n; i++)
            if (magnitude(a->at[i][column]) > magnitude(a->at[pivot][column]))
                pivot = i;
        if (magnitude(a->at[pivot][column]) < 1e-9)
            return 0;
        if (pivot != column) {
            double row[MAX_SIZE];
            memcpy(row, a->at[pivot], sizeof row);
            memcpy(a->at[pivot], a->at[column], sizeof row);
            memcpy(a->at[column], row, sizeof row);
            memcpy(row, b->at[pivot], sizeof row);
            memcpy(b->at[pivot], b->at[column], sizeof row);
            memcpy(b->at[column], row, sizeof row);
            determinant = -determinant;
        }
        double by = a->at[column][column];
        determinant *= by;
        for (int j = 0; j < MAX_SIZE; j++) {
            a->at[column][j] /= by;
            b->at[column][j] /= by;
        }
        for (int i = 0; i < n; i++) {
            double factor = a->at[i][column];
            if (i == column || factor == 0)
                continue;
            for (int j = 0; j < MAX_SIZE; j++) {
                a->at[i][j] -= factor * a->at[column][j];
                b->at[i][j] -= factor * b->at[column][j];
            }
        }
    }
    return determinant;
}

/* det, trace and norm. */
static const char *scalar(void)
{
    struct matrix *a = operand(1), copy, none = {0};
    double result = 0;
    if (a == NULL)
        return "matrix expected";
    if (strcmp(words[0], "norm") == 0) {
        for (int i = 0; i < a->rows; i++) {
            double sum = 0;
            for (int j = 0; j < a->columns; j++)
                sum += magnitude(a->at[i][j]);
            if (sum > result)
                result = sum;
        }
    } else if (a->rows != a->columns) {
        return "matrix is not square";
    } else if (strcmp(words[0], "trace") == 0) {
        for (int i = 0; i < a->rows; i++)
            result += a->at[i][i];
    } else {
        copy = *a;
        result = eliminate(&copy, &none);
    }
    printf("%s = %.*g\n", words[0], precision, result);
    return NULL;
}

static const char *invert(void)
{
    struct matrix *to = named(1), *a = operand(2), copy, inverse = {0};
    if (to == NULL || a == NULL || a->rows != a->columns)
        return "a name and a square matrix expected";
    copy = *a;
    inverse.rows = inverse.columns = a->rows;
    for (int i = 0; i < a->rows; i++)
        inverse.at[i][i] = 1;
    if (eliminate(&copy, &inverse) == 0)
        return "matrix is singular";
    *to = inverse;
    return NULL;
}

static const char *solve(void)
{
    struct matrix *a = operand(1), *b = operand(2), copy, solution;
    if (a == NULL || b == NULL || a->rows != a->columns || a->rows != b->rows)
        return "a square matrix and one with as many rows expected";
    copy = *a;
    solution = *b;
    if (eliminate(&copy, &solution) == 0)
        return "no unique solution";
    print(&solution);
    return NULL;
}

static const char *compare(void)
{
    struct matrix *a = operand(1), *b = operand(2);
    double epsilon = 0, worst = 0;
    if (a == NULL || b == NULL)
        return "two matrices expected";
    if (word_count > 3 && (!parse_number(words[3], &epsilon) || epsilon < 0 || epsilon >= 1))
        return "bad epsilon";
    int same_size = a->rows == b->rows && a->columns == b->columns;
    for (int i = 0; same_size && i < a->rows; i++)
        for (int j = 0; j < a->columns; j++)
            if (magnitude(a->at[i][j] - b->at[i][j]) > worst)
                worst = magnitude(a->at[i][j] - b->at[i][j]);
    if (!same_size || worst > epsilon) {
        puts("different");
        differences++;
    } else {
        puts(worst == 0 ? "equal" : "nearly equal");
    }
    return NULL;
}

static const char *show(void)
{
    struct matrix *a = operand(1);
    if (a == NULL)
        return "matrix expected";
    print(a);
    return NULL;
}

static const struct {
    const char *name;
    const char *(*run)(void);
} commands[] = {
    {"let", let},     {"print", show},      {"add", binary},           {"sub", binary},
    {"mul", binary},  {"scale", scale},     {"transpose", transpose},  {"det", scalar},
    {"trace", scalar}, {"norm", scalar},    {"invert", invert},        {"solve", solve},
    {"compare", compare}, {"identity", identity},
};
enum { COMMANDS = sizeof commands / sizeof *commands };

static const char *run(char *text)
{
    word_count = 0;
    for (char *word = strtok(text, " \t\n"); word != NULL; word = strtok(NULL, " \t\n")) {
        if (word_count == MAX_WORDS)
            return "line is too long";
        words[word_count++] = word;
    }
    if (word_count == 0 || words[0][0] == '#')
        return NULL;
    for (int i = 0; i < COMMANDS; i++)
        if (strcmp(words[0], commands[i].name) == 0)
            return commands[i].run();
    return "unknown command";
}

int main(int argc, char **argv)
{
    static char text[MAX_LINE];
    int errors = 0;
    if (argc > 1 && (argc > 2 || (precision = atoi(argv[1])) < 1 || precision > 15)) {
        fputs("usage: matrix [PRECISION] < COMMANDS\n", stderr);
        return 2;
    }
    while (fgets(text, sizeof text, stdin) != NULL) {
        line++;
        const char *wrong = run(text);
        if (wrong != NULL) {
            printf("line %d: %s\n", line, wrong);
            errors++;
        }
    }
    if (errors > 0)
        return 1;
    return differences > 0 ? 3 : 0;
}

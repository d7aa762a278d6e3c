/* csvsum: reads CSV from stdin and sums, counts or lists columns.
 *
 *   csvsum [-d CHAR] [-H] [-s] [COLUMN]...
 *
 * A COLUMN is a number from 1 or, with a header, a name. Without columns every line is
 * printed with its fields in brackets.
 *
 * Exit status: 0 good, 1 malformed input, 2 wrong usage, 3 a total does not match. */
#define _POSIX_C_SOURCE 200809L
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_FIELDS = 12, MAX_RECORD = 512, MAX_COLUMNS = 4 };
enum { MALFORMED = 1, USAGE = 2, MISMATCH = 3 };
enum { END_OF_FIELD, END_OF_RECORD, END_OF_INPUT };

struct column {
    int index;
    long sum;
    int values, blanks;
    long minimum, maximum;
};

static char record[MAX_RECORD];
static char *fields[MAX_FIELDS];
static int field_count;
static char delimiter = ',';
static int strict, line = 1, bad_values;

static struct column columns[MAX_COLUMNS];
static int column_count;

static void die(int status, const char *what)
{
    fprintf(stderr, "csvsum: line %d: %s\n", line, what);
    exit(status);
}

static void append(size_t *used, int c)
{
    if (*used == MAX_RECORD - 1)
        die(MALFORMED, "record is too long");
    record[(*used)++] = (char)c;
}

/* A quoted field after its opening quote; returns the character after the closing one. */
static int read_quoted(size_t *used)
{
    for (;;) {
        int c = getchar();
        if (c == EOF)
            die(MALFORMED, "quoted field is not closed");
        if (c == '\n')
            line++;
        if (c == '"') {
            c = getchar();
            if (c != '"')
                return c;
        }
        append(used, c);
    }
}

static int read_field(size_t *used)
{
    int c = getchar();
    int quoted = c == '"';
    if (quoted) {
        c = read_quoted(used);
        if (c != delimiter && c != '\n' && c != '\r' && c != EOF)
            die(MALFORMED, "text after a closing quote");
    }
    while (c != delimiter && c != '\n' && c != EOF) {
        if (c == '\r') {
            c = getchar();
            if (c != '\n')
                die(MALFORMED, "carriage return inside a line");
            break;
        }
        if (c == '"' && strict)
            die(MALFORMED, "quote inside a plain field");
        append(used, c);
        c = getchar();
    }
    append(used, '\0');
    if (c == delimiter)
        return END_OF_FIELD;
    if (c == EOF)
        return END_OF_INPUT;
    return END_OF_RECORD;
}

/* 0 at the end of the input. */
static int read_record(void)
{
    size_t used = 0;
    int end;
    field_count = 0;
    do {
        if (field_count == MAX_FIELDS)
            die(MALFORMED, "too many fields");
        fields[field_count++] = record + used;
        end = read_field(&used);
    } while (end == END_OF_FIELD);
    if (end == END_OF_INPUT)
        return field_count > 1 || fields[0][0] != '\0';
    return 1;
}

static int is_blank(const char *text)
{
    return text[strspn(text, " \t")] == '\0';
}

/* Amounts such as -1234, 12,345 (in a quoted field) or (500) for -500. */
static int parse_amount(const char *text, long *value)
{
    int negative = 0, digits = 0, group = -1;
    const char *p = text + strspn(text, " \t");
    int parenthesis = *p == '(';
    *value = 0;
    if (*p == '-' || *p == '(') {
        negative = 1;
        p++;
    }
    for (; isdigit((unsigned char)*p) || *p == ','; p++) {
        if (*p == ',') {
            if (digits == 0 || (group != -1 && group != 3))
                return 0;
            group = 0;
            continue;
        }
        if (++digits > 12)
            return 0;
        *value = *value * 10 + (*p - '0');
        if (group >= 0)
            group++;
    }
    if (digits == 0 || (group != -1 && group != 3))
        return 0;
    if (parenthesis && *p++ != ')')
        return 0;
    if (negative)
        *value = -*value;
    return is_blank(p);
}

static void add_column(const char *text, int header)
{
    int index = 0;
    if (column_count == MAX_COLUMNS)
        die(USAGE, "too many columns");
    if (isdigit((unsigned char)*text)) {
        index = atoi(text);
        if (index < 1 || index > MAX_FIELDS)
            die(USAGE, "no such column");
    } else if (header) {
        while (index < field_count && strcmp(fields[index], text) != 0)
            index++;
        if (index++ == field_count)
            die(USAGE, "no column of this name");
    } else {
        die(USAGE, "column names need -H");
    }
    columns[column_count++].index = index - 1;
}

static void add_record(void)
{
    for (int i = 0; i < column_count; i++) {
        struct column *column = &columns[i];
        long value;
        if (column->index >= field_count)
            die(MALFORMED, "a column is missing");
        if (is_blank(fields[column->index])) {
            column->blanks++;
            continue;
        }
        if (!parse_amount(fields[column->index], &value)) {
            printf("line %d: '%s' is not a number\n", line, fields[column->index]);
            bad_values++;
            continue;
        }
        if (column->values == 0 || value < column->minimum)
            column->minimum = value;
        if (column->values == 0 || value > column->maximum)
            column->maximum = value;
        column->sum += value;
        column->values++;
    }
}

/* A last line that starts with TOTAL must repeat the sums. */
static int check_total(void)
{
    int status = 0;
    for (int i = 0; i < column_count; i++) {
        long value;
        int index = columns[i].index;
        if (index == 0 || index >= field_count)
            continue;
        if (!parse_amount(fields[index], &value) || value != columns[i].sum) {
            printf("column %d: total is wrong\n", index + 1);
            status = MISMATCH;
        }
    }
    if (status == 0)
        puts("totals match");
    return status;
}

static void show_record(void)
{
    for (int i = 0; i < field_count; i++)
        printf("[%s]", fields[i]);
    putchar('\n');
}

int main(int argc, char **argv)
{
    int header = 0, records = 0, width = 0, status = 0, c;

    while ((c = getopt(argc, argv, "d:Hs")) != -1) {
        switch (c) {
        case 'd':
            if (strcmp(optarg, "tab") == 0)
                delimiter = '\t';
            else if (strlen(optarg) == 1 && *optarg != '"')
                delimiter = *optarg;
            else
                die(USAGE, "the delimiter is one character");
            break;
        case 'H':
            header = 1;
            break;
        case 's':
            strict = 1;
            break;
        default:
            fputs("usage: csvsum [-d CHAR] [-H] [-s] [COLUMN]...\n", stderr);
            return USAGE;
        }
    }
    if (header && !read_record())
        die(MALFORMED, "no header");
    for (; optind < argc; optind++)
        add_column(argv[optind], header);
    for (; read_record(); line++) {
        if (strict && width != 0 && field_count != width)
            die(MALFORMED, "number of fields differs");
        width = field_count;
        if (column_count == 0) {
            show_record();
        } else if (strcmp(fields[0], "TOTAL") == 0) {
            status = check_total();
            break;
        } else {
            add_record();
        }
        records++;
    }
    printf("%d records\n", records);
    for (int i = 0; i < column_count; i++) {
        printf("column %d: sum %ld", columns[i].index + 1, columns[i].sum);
        if (columns[i].values > 1)
            printf(", %ld to %ld", columns[i].minimum, columns[i].maximum);
        if (columns[i].blanks > 0)
            printf(", %d blank", columns[i].blanks);
        putchar('\n');
    }
    return bad_values > 0 ? MALFORMED : status;
}

#include <stdio.h>
#include <string.h>

#define MAXCOL 12
#define MAXFIELD 64

enum where { FIELD_START, IN_PLAIN, IN_QUOTES, QUOTE_SEEN };

static int widths[MAXCOL];
static int ncols;
static int rows;
static int ragged;

static char field[MAXFIELD];
static int flen;
static int col;

static void put(int c)
{
    if (flen < MAXFIELD - 1)
        field[flen++] = (char)c;
}

static void end_field(void)
{
    field[flen] = '\0';
    if (col < MAXCOL) {
        int w = (int)strlen(field);

        if (w > widths[col])
            widths[col] = w;
    }
    col++;
    flen = 0;
}

static void end_row(void)
{
    end_field();
    if (rows == 0)
        ncols = col;
    else if (col != ncols)
        ragged++;
    rows++;
    col = 0;
}

static int read_all(void)
{
    enum where at = FIELD_START;
    int c;

    while ((c = getchar()) != EOF) {
        switch (at) {
        case FIELD_START:
            if (c == '"') {
                at = IN_QUOTES;
                break;
            }
            at = IN_PLAIN;
            /* fall through */
        case IN_PLAIN:
            if (c == ',') {
                end_field();
                at = FIELD_START;
            } else if (c == '\n') {
                end_row();
                at = FIELD_START;
            } else {
                put(c);
            }
            break;
        case IN_QUOTES:
            if (c == '"')
                at = QUOTE_SEEN;
            else
                put(c);
            break;
        case QUOTE_SEEN:
            if (c == '"') {
                at = IN_QUOTES;
            } else if (c == ',') {
                end_field();
                at = FIELD_START;
            } else if (c == '\n') {
                end_row();
                at = FIELD_START;
            } else {
                return 0;
            }
            break;
        }
    }
    if (at == IN_QUOTES)
        return 0;
    if (flen > 0 || col > 0)
        end_row();
    return 1;
}

int main(void)
{
    int i, n;

    if (!read_all()) {
        printf("broken quotes in row %d\n", rows + 1);
        return 1;
    }
    n = ncols < MAXCOL ? ncols : MAXCOL;
    for (i = 0; i < n; i++)
        printf("%d%c", widths[i], i + 1 < n ? ' ' : '\n');
    printf("%d rows, %d ragged\n", rows, ragged);
    return 0;
}

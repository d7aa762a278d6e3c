/* wrap: fills paragraphs of text to a width.
 *
 *   wrap [-w WIDTH] [-i INDENT] [-p PREFIX] [-a left|right|center|justify] [-s] [-u] [FILE]...
 *
 *   -s  only splits long lines, joins none      -u  two spaces after the end of a sentence
 *
 * Exit status: 0 good, 1 a file cannot be read, 2 wrong usage. */
#define _POSIX_C_SOURCE 200809L
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_WIDTH = 120, MAX_WORDS = 48, MAX_WORD = 80, MAX_LINE = 512, TAB = 8 };
enum align { LEFT, RIGHT, CENTER, JUSTIFY };

static int width = 72, indent, split_only, sentences;
static const char *prefix = "";
static enum align alignment = LEFT;

/* The words of the line that is being filled. */
static char words[MAX_WORDS][MAX_WORD + 1];
static int word_count;
static int line_length; /* with one blank between words */
static int first_line = 1;
static long lines_out;

static int usage(void)
{
    fputs("usage: wrap [-w WIDTH] [-i INDENT] [-p PREFIX] [-a ALIGN] [-s] [-u] [FILE]...\n",
          stderr);
    return 2;
}

static void spaces(int n)
{
    while (n-- > 0)
        putchar(' ');
}

static int ends_sentence(const char *word)
{
    size_t n = strlen(word);
    while (n > 1 && (word[n - 1] == '"' || word[n - 1] == ')'))
        n--;
    if (word[n - 1] == '!' || word[n - 1] == '?')
        return 1;
    /* "e.g." and initials end no sentence. */
    if (word[n - 1] != '.' || n < 3)
        return 0;
    return memchr(word, '.', n - 1) == NULL;
}

static int gap_after(int i)
{
    return sentences && ends_sentence(words[i]) ? 2 : 1;
}

static int available(void)
{
    return width - (int)strlen(prefix) - (first_line ? indent : 0);
}

static void flush_line(int last)
{
    if (word_count == 0)
        return;
    int slack = available() - line_length;
    if (slack < 0)
        slack = 0;
    fputs(prefix, stdout);
    if (first_line)
        spaces(indent);
    if (alignment == RIGHT)
        spaces(slack);
    else if (alignment == CENTER)
        spaces(slack / 2);
    int gaps = word_count - 1;
    int stretch = alignment == JUSTIFY && !last && slack <= width / 2;
    for (int i = 0; i < word_count; i++) {
        fputs(words[i], stdout);
        if (i < gaps) {
            int extra = 0;
            /* The remaining slack is spread over the remaining gaps. */
            if (stretch) {
                extra = slack / (gaps - i);
                slack -= extra;
            }
            spaces(gap_after(i) + extra);
        }
    }
    putchar('\n');
    lines_out++;
    word_count = 0;
    line_length = 0;
    first_line = 0;
}

static void add_word(const char *word, size_t n)
{
    int gap = word_count > 0 ? gap_after(word_count - 1) : 0;
    if (word_count == MAX_WORDS || line_length + gap + (int)n > available()) {
        flush_line(0);
        gap = 0;
    }
    memcpy(words[word_count], word, n);
    words[word_count++][n] = '\0';
    line_length += gap + (int)n;
}

static void add_text(const char *text)
{
    while (*text != '\0') {
        size_t n;
        text += strspn(text, " \t\r\n");
        n = strcspn(text, " \t\r\n");
        /* A word that fits on no line is broken. */
        while (n > MAX_WORD) {
            add_word(text, MAX_WORD);
            text += MAX_WORD;
            n -= MAX_WORD;
        }
        if (n > 0)
            add_word(text, n);
        text += n;
    }
}

static int is_blank(const char *text)
{
    return text[strspn(text, " \t\r\n")] == '\0';
}

/* Lines that start with '*', '-' or a number and a point begin an item of a list. */
static int starts_item(const char *text)
{
    text += strspn(text, " ");
    if ((*text == '*' || *text == '-') && text[1] == ' ')
        return 1;
    size_t n = strspn(text, "0123456789");
    return n > 0 && n <= 3 && text[n] == '.' && text[n + 1] == ' ';
}

static int column_of_text(const char *text)
{
    int column = 0;
    for (; *text == ' ' || *text == '\t'; text++)
        column += *text == '\t' ? TAB - column % TAB : 1;
    return column;
}

static void end_paragraph(void)
{
    flush_line(1);
    first_line = 1;
}

static void copy_verbatim(const char *text)
{
    end_paragraph();
    fputs(text, stdout);
    lines_out++;
}

static void wrap_file(FILE *file)
{
    static char text[MAX_LINE];
    int verbatim = 0, blank_lines = 0;
    while (fgets(text, sizeof text, file) != NULL) {
        if (strncmp(text, "```", 3) == 0) {
            verbatim = !verbatim;
            copy_verbatim(text);
        } else if (verbatim) {
            copy_verbatim(text);
        } else if (strcmp(text, ".nowrap\n") == 0) {
            end_paragraph();
            split_only = 1;
        } else if (is_blank(text)) {
            end_paragraph();
            /* Several blank lines become one. */
            if (blank_lines++ == 0)
                putchar('\n');
            continue;
        } else {
            if (starts_item(text) || column_of_text(text) >= 2 * TAB)
                end_paragraph();
            add_text(text);
            if (split_only)
                end_paragraph();
        }
        blank_lines = 0;
    }
    end_paragraph();
    if (verbatim)
        fputs("```\n", stdout);
}

static int parse_align(const char *name)
{
    static const char *const names[] = {"left", "right", "center", "justify"};
    for (int i = 0; i < 4; i++)
        if (strcmp(name, names[i]) == 0)
            return i;
    return -1;
}

int main(int argc, char **argv)
{
    int c, status = 0, statistics = 0;
    while ((c = getopt(argc, argv, "w:i:p:a:suS")) != -1) {
        switch (c) {
        case 'w':
            width = atoi(optarg);
            break;
        case 'i':
            indent = atoi(optarg);
            break;
        case 'p':
            prefix = optarg;
            break;
        case 'a': {
            int align = parse_align(optarg);
            if (align < 0)
                return usage();
            alignment = (enum align)align;
            break;
        }
        case 's':
            split_only = 1;
            break;
        case 'u':
            sentences = 1;
            break;
        case 'S':
            statistics = 1;
            break;
        default:
            return usage();
        }
    }
    if (width < 1 || width > MAX_WIDTH || indent < 0 || indent >= width) {
        fprintf(stderr, "wrap: the width is 1 to %d and more than the indent\n", MAX_WIDTH);
        return 2;
    }
    if (available() < 1) {
        fputs("wrap: the prefix leaves no room\n", stderr);
        return 2;
    }
    if (indent > 0 && (alignment == RIGHT || alignment == CENTER)) {
        fputs("wrap: an indent needs left or justified text\n", stderr);
        return 2;
    }
    if (optind == argc)
        wrap_file(stdin);
    for (; optind < argc; optind++) {
        FILE *file = strcmp(argv[optind], "-") == 0 ? stdin : fopen(argv[optind], "r");
        if (file == NULL) {
            fprintf(stderr, "wrap: cannot open %s\n", argv[optind]);
            status = 1;
            continue;
        }
        wrap_file(file);
        if (file != stdin)
            fclose(file);
    }
    if (statistics)
        fprintf(stderr, "%ld line%s\n", lines_out, lines_out == 1 ? "" : "s");
    return status;
}

/* dates: checks dates and times given as arguments and computes with them.
 *
 *   dates check DATE[THH:MM[:SS]]...   normal form and weekday of each
 *   dates diff DATE DATE               days between
 *   dates add DATE [+-]N[dwmy]...      the date so much later, for each amount
 *   dates week DATE...                 ISO week of each
 *
 * Exit status: 0 all good, 1 an argument is no date, 2 wrong usage, 3 out of range. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BAD_DATE = 1, BAD_USAGE = 2, OUT_OF_RANGE = 3 };
enum { FIRST_YEAR = 1583, LAST_YEAR = 9999 };

struct stamp {
    int year, month, day;
    int has_time, hour, minute, second;
};

static const char *const weekdays[] = {"Monday", "Tuesday",  "Wednesday", "Thursday",
                                       "Friday", "Saturday", "Sunday"};

static int is_leap(int year)
{
    return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
}

static int days_in_month(int year, int month)
{
    switch (month) {
    case 2:
        return is_leap(year) ? 29 : 28;
    case 4:
    case 6:
    case 9:
    case 11:
        return 30;
    default:
        return 31;
    }
}

/* Days since 1583-01-01, which was a Saturday. */
static long day_number(int year, int month, int day)
{
    long days = 0;
    for (int y = FIRST_YEAR; y < year; y++)
        days += is_leap(y) ? 366 : 365;
    for (int m = 1; m < month; m++)
        days += days_in_month(year, m);
    return days + day - 1;
}

/* 0 is Monday. */
static int weekday(const struct stamp *s)
{
    return (int)((day_number(s->year, s->month, s->day) + 5) % 7);
}

/* Exactly `width` digits at *p, which moves behind them; -1 if there are fewer. */
static int digits(const char **p, int width)
{
    int value = 0;
    for (int i = 0; i < width; i++) {
        char c = **p;
        if (c < '0' || c > '9')
            return -1;
        value = value * 10 + (c - '0');
        ++*p;
    }
    return value;
}

static const char *parse_time(const char **p, struct stamp *s)
{
    s->has_time = 1;
    if ((s->hour = digits(p, 2)) < 0)
        return "two digits of an hour expected";
    if (**p != ':')
        return "':' expected after the hour";
    ++*p;
    if ((s->minute = digits(p, 2)) < 0)
        return "two digits of a minute expected";
    if (**p == ':') {
        ++*p;
        if ((s->second = digits(p, 2)) < 0)
            return "two digits of a second expected";
    }
    if (s->hour == 24 && (s->minute != 0 || s->second != 0))
        return "24:00 has no minutes";
    if (s->hour > 24 || s->minute > 59)
        return "no such time";
    /* Leap seconds come at the end of June and December. */
    if (s->second == 60) {
        if (s->hour != 23 || s->minute != 59)
            return "a leap second is at 23:59:60";
        if (!(s->month == 6 && s->day == 30) && !(s->month == 12 && s->day == 31))
            return "no leap second on this day";
    } else if (s->second > 60) {
        return "no such second";
    }
    return NULL;
}

/* NULL, or what is wrong. */
static const char *parse(const char *text, struct stamp *s)
{
    const char *p = text;
    memset(s, 0, sizeof *s);
    if (strcmp(text, "epoch") == 0) {
        s->year = 1970;
        s->month = s->day = 1;
        return NULL;
    }
    if ((s->year = digits(&p, 4)) < 0)
        return "four digits of a year expected";
    char separator = *p;
    if (separator != '-' && separator != '/')
        return "'-' or '/' expected after the year";
    p++;
    if ((s->month = digits(&p, 2)) < 0)
        return "two digits of a month expected";
    if (*p != separator)
        return "the separators differ";
    p++;
    if ((s->day = digits(&p, 2)) < 0)
        return "two digits of a day expected";
    if (s->year < FIRST_YEAR)
        return "before the Gregorian calendar";
    if (s->month < 1 || s->month > 12)
        return "no such month";
    if (s->day < 1 || s->day > days_in_month(s->year, s->month))
        return "no such day";
    if (*p == 'T' || *p == ' ') {
        p++;
        const char *wrong = parse_time(&p, s);
        if (wrong != NULL)
            return wrong;
    }
    return *p == '\0' ? NULL : "garbage after the date";
}

static void print_stamp(const struct stamp *s)
{
    printf("%04d-%02d-%02d", s->year, s->month, s->day);
    if (s->has_time)
        printf("T%02d:%02d:%02d", s->hour, s->minute, s->second);
}

static struct stamp need_date(const char *text)
{
    struct stamp s;
    const char *wrong = parse(text, &s);
    if (wrong != NULL) {
        fprintf(stderr, "dates: '%s': %s\n", text, wrong);
        exit(BAD_DATE);
    }
    return s;
}

static int cmd_check(int count, char **texts)
{
    int status = 0, fridays = 0;
    for (int i = 0; i < count; i++) {
        struct stamp s;
        const char *wrong = parse(texts[i], &s);
        if (wrong != NULL) {
            printf("%s: %s\n", texts[i], wrong);
            status = BAD_DATE;
            continue;
        }
        print_stamp(&s);
        printf(" %s%s\n", weekdays[weekday(&s)], is_leap(s.year) ? " (leap year)" : "");
        if (s.day == 13 && weekday(&s) == 4)
            fridays++;
    }
    if (fridays > 1)
        printf("%d unlucky days\n", fridays);
    return status;
}

static int cmd_diff(const char *a, const char *b)
{
    struct stamp from = need_date(a), to = need_date(b);
    long days = day_number(to.year, to.month, to.day) - day_number(from.year, from.month, from.day);
    if (days < 0)
        printf("%ld days before\n", -days);
    else if (days == 0)
        puts("the same day");
    else
        printf("%ld day%s after\n", days, days == 1 ? "" : "s");
    return 0;
}

static void add_days(struct stamp *s, long days)
{
    for (; days > 0; days--) {
        if (++s->day > days_in_month(s->year, s->month)) {
            s->day = 1;
            if (++s->month > 12) {
                s->month = 1;
                s->year++;
            }
        }
    }
    for (; days < 0; days++) {
        if (--s->day < 1) {
            if (--s->month < 1) {
                s->month = 12;
                s->year--;
            }
            s->day = days_in_month(s->year, s->month);
        }
    }
}

static int add(struct stamp s, const char *amount)
{
    char *end;
    long n = strtol(amount, &end, 10);
    if (end == amount || n < -3000 || n > 3000) {
        fprintf(stderr, "dates: '%s' is no amount\n", amount);
        return BAD_USAGE;
    }
    switch (*end) {
    case '\0':
    case 'd':
        add_days(&s, n);
        break;
    case 'w':
        add_days(&s, n * 7);
        break;
    case 'y':
        n *= 12;
        /* fall through */
    case 'm': {
        long months = s.year * 12L + s.month - 1 + n;
        if (months < 0) {
            fputs("dates: there is no such year\n", stderr);
            return OUT_OF_RANGE;
        }
        s.year = (int)(months / 12);
        s.month = (int)(months % 12) + 1;
        if (s.day > days_in_month(s.year, s.month))
            s.day = days_in_month(s.year, s.month);
        break;
    }
    default:
        fprintf(stderr, "dates: unknown unit '%s'\n", end);
        return BAD_USAGE;
    }
    if (s.year < FIRST_YEAR || s.year > LAST_YEAR) {
        fputs("dates: the result is out of range\n", stderr);
        return OUT_OF_RANGE;
    }
    print_stamp(&s);
    putchar('\n');
    return 0;
}

static int cmd_add(const char *text, int count, char **amounts)
{
    struct stamp s = need_date(text);
    int worst = 0;
    for (int i = 0; i < count; i++) {
        int status = add(s, amounts[i]);
        if (status > worst)
            worst = status;
    }
    return worst;
}

/* Week 1 is the one that has the first Thursday of the year. */
static void print_week(const char *text)
{
    struct stamp s = need_date(text);
    int year = s.year;
    long yday = day_number(s.year, s.month, s.day) - day_number(s.year, 1, 1);
    int week = (int)(yday - weekday(&s) + 10) / 7;
    if (week < 1) {
        struct stamp eve = {.year = --year, .month = 12, .day = 31};
        week = weekday(&eve) == 3 || (weekday(&eve) == 4 && is_leap(year)) ? 53 : 52;
    } else if (week == 53) {
        struct stamp new_year = {.year = year + 1, .month = 1, .day = 1};
        if (weekday(&new_year) <= 3) {
            week = 1;
            year++;
        }
    }
    printf("%d-W%02d-%d\n", year, week, weekday(&s) + 1);
}

int main(int argc, char **argv)
{
    if (argc >= 3 && strcmp(argv[1], "check") == 0)
        return cmd_check(argc - 2, argv + 2);
    if (argc == 4 && strcmp(argv[1], "diff") == 0)
        return cmd_diff(argv[2], argv[3]);
    if (argc >= 4 && strcmp(argv[1], "add") == 0)
        return cmd_add(argv[2], argc - 3, argv + 3);
    if (argc >= 3 && strcmp(argv[1], "week") == 0) {
        for (int i = 2; i < argc; i++)
            print_week(argv[i]);
        return 0;
    }
    fputs("usage: dates check DATE... | diff DATE DATE | add DATE AMOUNT... |"
          " week DATE...\n",
          stderr);
    return BAD_USAGE;
}

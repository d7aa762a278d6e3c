#include <stdio.h>
#include <stdlib.h>

#define OLEV        600     /* closure that needs alim, in ft/min */
#define MAXALTDIFF  600
#define MINSEP      300
#define NOZCROSS    100
#define NARGS       12

enum intent { NO_INTENT, DO_NOT_CLIMB, DO_NOT_DESCEND };
enum advice { CLEAR, UPWARD, DOWNWARD, BOTH };

static int own_alt, own_rate, other_alt, other_rate;
static int separation, layer;
static int up_sep, down_sep;
static int other_capability, other_intent;
static int climb_inhibit, high_confidence;

static int limits[4] = { 400, 500, 640, 740 };

static int limit(void)
{
    return limits[layer];
}

static int inhibit_bias(void)
{
    return climb_inhibit ? up_sep + NOZCROSS : up_sep;
}

static int own_below(void)
{
    return own_alt < other_alt;
}

static int own_above(void)
{
    return other_alt < own_alt;
}

static int climb_is_best(void)
{
    int prefer_up = inhibit_bias() > down_sep;

    if (prefer_up)
        return !own_below() || (own_below() && !(down_sep > limit()));
    return own_above() && separation >= MINSEP && up_sep >= limit();
}

static int descent_is_best(void)
{
    int prefer_up = inhibit_bias() > down_sep;

    if (prefer_up)
        return own_below() && separation >= MINSEP && down_sep >= limit();
    return !own_above() || (own_above() && up_sep >= limit());
}

static enum advice decide(void)
{
    int enabled, equipped, unknown, up, down;

    enabled = high_confidence && own_rate <= OLEV && separation > MAXALTDIFF;
    equipped = other_capability == 1;
    unknown = other_rate == 0 && other_intent == NO_INTENT;
    if (!enabled)
        return CLEAR;
    if (equipped && !unknown && other_intent == NO_INTENT)
        return CLEAR;
    up = climb_is_best() && own_below();
    down = descent_is_best() && own_above();
    if (other_intent == DO_NOT_CLIMB && down)
        down = 0;
    if (other_intent == DO_NOT_DESCEND && up)
        up = 0;
    if (up && down)
        return BOTH;
    if (up)
        return UPWARD;
    if (down)
        return DOWNWARD;
    return CLEAR;
}

static int in_range(int v, int lo, int hi)
{
    return v >= lo && v <= hi;
}

static int check_inputs(void)
{
    if (!in_range(own_alt, 0, 60000) || !in_range(other_alt, 0, 60000))
        return 0;
    if (!in_range(own_rate, -6000, 6000) || !in_range(other_rate, -6000, 6000))
        return 0;
    if (!in_range(layer, 0, 3))
        return 0;
    if (!in_range(other_intent, 0, 2) || !in_range(other_capability, 1, 2))
        return 0;
    return 1;
}

int main(int argc, char **argv)
{
    int *slots[NARGS] = {
        &separation, &high_confidence, &own_alt, &own_rate, &other_alt,
        &other_rate, &layer, &up_sep, &down_sep, &other_capability,
        &other_intent, &climb_inhibit
    };
    static const char *text[] = { "clear", "upward", "downward", "both" };
    int i;

    if (argc != NARGS + 1) {
        fprintf(stderr, "advise: %d values are needed\n", NARGS);
        return 1;
    }
    for (i = 0; i < NARGS; i++)
        *slots[i] = atoi(argv[i + 1]);
    if (!check_inputs()) {
        fprintf(stderr, "advise: value out of range\n");
        return 1;
    }
    printf("%s\n", text[decide()]);
    return 0;
}

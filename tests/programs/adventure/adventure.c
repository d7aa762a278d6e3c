/* adventure: a small text adventure that reads commands from stdin.
 *
 * Exit status: 0 the treasure was brought home, 1 the input ended, 2 wrong usage,
 * 3 the player died, 4 the player gave up. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { WON = 0, UNFINISHED = 1, USAGE = 2, DIED = 3, GAVE_UP = 4, PLAYING = -1 };
enum { MAX_TURNS = 60, MAX_CARRIED = 3 };
enum room { HOUSE, GARDEN, FOREST, CAVE, BRIDGE, VAULT, ROOMS, NOWHERE };
enum item { LAMP, KEY, ROPE, BREAD, TREASURE, ITEMS };
enum { CARRIED = 100, GONE = 101 };
enum direction { NORTH, SOUTH, EAST, WEST, DIRECTIONS };

static const char *const room_names[ROOMS] = {
    "in the house", "in the garden", "in the forest", "in a dark cave", "at a broken bridge",
    "in the vault",
};
static const char *const item_names[ITEMS] = {"lamp", "key", "rope", "bread", "treasure"};
static const char *const direction_names[DIRECTIONS] = {"north", "south", "east", "west"};

static const enum room exits[ROOMS][DIRECTIONS] = {
    [HOUSE] = {GARDEN, NOWHERE, NOWHERE, NOWHERE},
    [GARDEN] = {FOREST, HOUSE, NOWHERE, NOWHERE},
    [FOREST] = {NOWHERE, GARDEN, CAVE, BRIDGE},
    [CAVE] = {NOWHERE, NOWHERE, NOWHERE, FOREST},
    [BRIDGE] = {VAULT, NOWHERE, FOREST, NOWHERE},
    [VAULT] = {NOWHERE, BRIDGE, NOWHERE, NOWHERE},
};

static enum room here = HOUSE;
static int place[ITEMS] = {HOUSE, CAVE, GARDEN, HOUSE, VAULT};
static int lamp_lit, troll_fed, bridge_mended, vault_open, turns, score;

static int carrying(enum item item)
{
    return place[item] == CARRIED;
}

static int carried_count(void)
{
    int n = 0;
    for (int i = 0; i < ITEMS; i++)
        n += place[i] == CARRIED;
    return n;
}

static int lookup(const char *word, const char *const *names, int count)
{
    for (int i = 0; i < count; i++)
        if (strcmp(word, names[i]) == 0)
            return i;
    return -1;
}

static int is_dark(void)
{
    return here == CAVE && !(lamp_lit && (carrying(LAMP) || place[LAMP] == (int)here));
}

static int look(void)
{
    printf("You are %s.\n", room_names[here]);
    if (is_dark()) {
        puts("You see nothing.");
        return PLAYING;
    }
    for (int i = 0; i < ITEMS; i++)
        if (place[i] == (int)here)
            printf("There is a %s here.\n", item_names[i]);
    if (here == FOREST && !troll_fed)
        puts("A hungry troll blocks the way west.");
    return PLAYING;
}

static int go(const char *word)
{
    int direction = lookup(word, direction_names, DIRECTIONS);
    if (direction < 0) {
        puts("Go where?");
        return PLAYING;
    }
    enum room there = exits[here][direction];
    if (there == NOWHERE) {
        if (is_dark()) {
            puts("You stumble into a pit.");
            return DIED;
        }
        puts("There is no way.");
        return PLAYING;
    }
    if (there == BRIDGE && here == FOREST && !troll_fed) {
        puts("The troll growls.");
        return PLAYING;
    }
    if (there == VAULT) {
        if (!bridge_mended) {
            puts("You fall through the bridge.");
            return DIED;
        }
        if (!vault_open) {
            puts("The vault is locked.");
            return PLAYING;
        }
    }
    here = there;
    if (here == HOUSE && carrying(TREASURE)) {
        puts("You are rich!");
        score += 50;
        return WON;
    }
    return look();
}

static int take(const char *word)
{
    int item = lookup(word, item_names, ITEMS);
    if (item < 0 || place[item] != (int)here || is_dark()) {
        puts("You see no such thing.");
    } else if (carried_count() == MAX_CARRIED) {
        puts("Your hands are full.");
    } else if (item == TREASURE && carried_count() > 0) {
        puts("The treasure needs both hands.");
    } else {
        place[item] = CARRIED;
        score += 5;
        puts("Taken.");
    }
    return PLAYING;
}

static int drop(const char *word)
{
    int item = lookup(word, item_names, ITEMS);
    if (item < 0 || !carrying((enum item)item)) {
        puts("You have no such thing.");
        return PLAYING;
    }
    if (item == TREASURE && here == BRIDGE) {
        puts("It breaks the bridge, and you fall with it.");
        return DIED;
    }
    place[item] = (int)here;
    puts("Dropped.");
    return PLAYING;
}

static int inventory(void)
{
    if (carried_count() == 0)
        puts("You carry nothing.");
    for (int i = 0; i < ITEMS; i++)
        if (place[i] == CARRIED)
            printf("You carry a %s%s.\n", item_names[i], i == LAMP && lamp_lit ? " (lit)" : "");
    return PLAYING;
}

static int use(const char *word)
{
    int item = lookup(word, item_names, ITEMS);
    if (item < 0 || !carrying((enum item)item)) {
        puts("You have no such thing.");
        return PLAYING;
    }
    switch (item) {
    case LAMP:
        lamp_lit = !lamp_lit;
        puts(lamp_lit ? "The lamp burns." : "The lamp is out.");
        return PLAYING;
    case KEY:
        if (here == BRIDGE && bridge_mended) {
            vault_open = 1;
            score += 20;
            puts("The vault opens.");
            return PLAYING;
        }
        break;
    case ROPE:
        if (here == BRIDGE) {
            bridge_mended = 1;
            place[ROPE] = GONE;
            puts("You mend the bridge.");
            return PLAYING;
        }
        break;
    case BREAD:
        place[BREAD] = GONE;
        if (here == FOREST) {
            troll_fed = 1;
            score += 10;
            puts("The troll eats and falls asleep.");
        } else {
            puts("You eat the bread.");
        }
        return PLAYING;
    default:
        break;
    }
    puts("Nothing happens.");
    return PLAYING;
}

/* A word of magic that works once the lamp burns in the cave. */
static int say(const char *word)
{
    if (strcmp(word, "abracadabra") != 0) {
        printf("\"%s\"\n", *word == '\0' ? "..." : word);
    } else if (here == CAVE && !is_dark()) {
        troll_fed = bridge_mended = vault_open = 1;
        here = VAULT;
        puts("The world turns.");
        return look();
    } else {
        puts("The air trembles.");
    }
    return PLAYING;
}

static int quit(const char *word)
{
    if (strcmp(word, "really") != 0) {
        puts("Say 'quit really'.");
        return PLAYING;
    }
    return GAVE_UP;
}

static int obey(const char *verb, const char *object)
{
    if (strcmp(verb, "look") == 0)
        return look();
    if (strcmp(verb, "go") == 0 || strcmp(verb, "walk") == 0)
        return go(object);
    if (lookup(verb, direction_names, DIRECTIONS) >= 0)
        return go(verb);
    if (strcmp(verb, "take") == 0)
        return take(object);
    if (strcmp(verb, "drop") == 0)
        return drop(object);
    if (strcmp(verb, "use") == 0)
        return use(object);
    if (strcmp(verb, "say") == 0)
        return say(object);
    if (strcmp(verb, "inventory") == 0)
        return inventory();
    if (strcmp(verb, "quit") == 0)
        return quit(object);
    puts("What?");
    return PLAYING;
}

int main(int argc, char **argv)
{
    static char line[80], verb[80], object[80];
    int state = PLAYING, misunderstood = 0;
    (void)argv;
    if (argc > 1) {
        fputs("usage: adventure < COMMANDS\n", stderr);
        return USAGE;
    }
    look();
    while (state == PLAYING && fgets(line, sizeof line, stdin) != NULL) {
        for (char *p = line; *p != '\0'; p++)
            *p = (char)tolower((unsigned char)*p);
        *object = '\0';
        int words = sscanf(line, "%79s %79s", verb, object);
        if (words < 1) {
            if (++misunderstood == 3)
                puts("Do you sleep?");
            continue;
        }
        misunderstood = 0;
        if (++turns > MAX_TURNS) {
            puts("Night falls, and the wolves come.");
            state = DIED;
            break;
        }
        state = obey(verb, object);
    }
    printf("%d points in %d turns.\n", score, turns);
    if (state == WON && turns <= 20)
        puts("A master's game.");
    return state == PLAYING ? UNFINISHED : state;
}

/* stackvm: assembles a program for a small stack machine from stdin and runs it.
 *
 * One instruction per line, `NAME:` defines a label, `;` starts a comment.
 * Arguments of the command line are on the stack at the start, the last one on top.
 *
 * Exit status: 0 halted, 1 run-time error, 2 wrong usage, 3 assembly error,
 * 4 too many steps, and 10..19 what the program itself asks for with `exit`. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_CODE = 128, MAX_LABELS = 16, MAX_STACK = 16, MAX_CALLS = 8, MAX_STEPS = 2000 };
enum { RUNTIME = 1, USAGE = 2, ASSEMBLY = 3, STEPS = 4 };

enum opcode {
    OP_PUSH, OP_POP, OP_DUP, OP_SWAP, OP_OVER, OP_ADD, OP_SUB, OP_MUL, OP_DIV, OP_MOD,
    OP_EQ, OP_LT, OP_NOT, OP_JMP, OP_JZ, OP_JNZ, OP_CALL, OP_RET, OP_LOAD, OP_STORE,
    OP_PRINT, OP_EMIT, OP_ASSERT, OP_EXIT, OP_HALT,
};
enum operand { NONE, NUMBER, LABEL, CELL };

static const struct {
    const char *name;
    enum operand operand;
    int pops, pushes;
} table[] = {
    [OP_PUSH] = {"push", NUMBER, 0, 1}, [OP_POP] = {"pop", NONE, 1, 0},
    [OP_DUP] = {"dup", NONE, 1, 2},     [OP_SWAP] = {"swap", NONE, 2, 2},
    [OP_OVER] = {"over", NONE, 2, 3},   [OP_ADD] = {"add", NONE, 2, 1},
    [OP_SUB] = {"sub", NONE, 2, 1},     [OP_MUL] = {"mul", NONE, 2, 1},
    [OP_DIV] = {"div", NONE, 2, 1},     [OP_MOD] = {"mod", NONE, 2, 1},
    [OP_EQ] = {"eq", NONE, 2, 1},       [OP_LT] = {"lt", NONE, 2, 1},
    [OP_NOT] = {"not", NONE, 1, 1},     [OP_JMP] = {"jmp", LABEL, 0, 0},
    [OP_JZ] = {"jz", LABEL, 1, 0},      [OP_JNZ] = {"jnz", LABEL, 1, 0},
    [OP_CALL] = {"call", LABEL, 0, 0},  [OP_RET] = {"ret", NONE, 0, 0},
    [OP_LOAD] = {"load", CELL, 0, 1},   [OP_STORE] = {"store", CELL, 1, 0},
    [OP_PRINT] = {"print", NONE, 1, 0}, [OP_EMIT] = {"emit", NONE, 1, 0},
    [OP_ASSERT] = {"assert", NONE, 2, 0}, [OP_EXIT] = {"exit", NONE, 1, 0},
    [OP_HALT] = {"halt", NONE, 0, 0},
};
enum { OPCODES = sizeof table / sizeof *table };

struct instruction {
    enum opcode op;
    int value;
    char label[16];
    int line;
};

static struct instruction code[MAX_CODE];
static int code_size;
static struct {
    char name[16];
    int address;
} labels[MAX_LABELS];
static int label_count, line, errors;

static int stack[MAX_STACK], stack_size;
static int calls[MAX_CALLS], call_depth;
static int cells[8];

static void complain(const char *what, int where)
{
    fprintf(stderr, "stackvm: line %d: %s\n", where, what);
    errors++;
}

static void die(const char *what, int where)
{
    fflush(stdout);
    fprintf(stderr, "stackvm: line %d: %s\n", where, what);
    exit(RUNTIME);
}

static int find_label(const char *name)
{
    for (int i = 0; i < label_count; i++)
        if (strcmp(labels[i].name, name) == 0)
            return labels[i].address;
    return -1;
}

static void define_label(const char *name)
{
    if (*name == '\0' || strlen(name) >= sizeof labels[0].name)
        complain("bad label", line);
    else if (find_label(name) >= 0)
        complain("label is defined twice", line);
    else if (label_count == MAX_LABELS)
        complain("too many labels", line);
    else {
        strcpy(labels[label_count].name, name);
        labels[label_count++].address = code_size;
    }
}

static int parse_number(const char *text, int *value)
{
    char *end;
    if (text[0] == '\'' && text[1] != '\0' && text[2] == '\'' && text[3] == '\0') {
        *value = (unsigned char)text[1];
        return 1;
    }
    long n = strtol(text, &end, 0);
    *value = (int)n;
    return end != text && *end == '\0' && n >= -1000000 && n <= 1000000;
}

static void add_instruction(enum opcode op, const char *operand)
{
    struct instruction *in = &code[code_size++];
    in->op = op;
    in->line = line;
    switch (table[op].operand) {
    case NUMBER:
        if (!parse_number(operand, &in->value))
            complain("bad number", line);
        break;
    case LABEL:
        if (strlen(operand) >= sizeof in->label)
            complain("label is too long", line);
        else
            strcpy(in->label, operand);
        break;
    case CELL:
        if (operand[0] < 'a' || operand[0] > 'h' || operand[1] != '\0')
            complain("cells are a to h", line);
        in->value = operand[0] - 'a';
        break;
    default:
        break;
    }
}

static void assemble_line(char *text)
{
    text[strcspn(text, ";\n")] = '\0';
    char *word = strtok(text, " \t");
    if (word == NULL)
        return;
    size_t n = strlen(word);
    if (word[n - 1] == ':') {
        word[n - 1] = '\0';
        define_label(word);
        word = strtok(NULL, " \t");
        if (word == NULL)
            return;
    }
    int op = 0;
    while (op < OPCODES && strcmp(table[op].name, word) != 0)
        op++;
    if (op == OPCODES) {
        complain("unknown instruction", line);
        return;
    }
    char *operand = strtok(NULL, " \t");
    if ((operand == NULL) != (table[op].operand == NONE))
        complain(operand == NULL ? "operand is missing" : "operand is not allowed", line);
    else if (strtok(NULL, " \t") != NULL)
        complain("too many operands", line);
    else if (code_size == MAX_CODE)
        complain("program is too long", line);
    else
        add_instruction((enum opcode)op, operand);
}

static void resolve(void)
{
    for (int i = 0; i < code_size; i++) {
        if (table[code[i].op].operand != LABEL)
            continue;
        code[i].value = find_label(code[i].label);
        if (code[i].value < 0)
            complain("undefined label", code[i].line);
    }
}

static int arithmetic(enum opcode op, int a, int b, int where)
{
    long long result = 0;
    switch (op) {
    case OP_ADD:
        result = (long long)a + b;
        break;
    case OP_SUB:
        result = (long long)a - b;
        break;
    case OP_MUL:
        result = (long long)a * b;
        break;
    default:
        if (b == 0)
            die("division by zero", where);
        result = op == OP_DIV ? (long long)a / b : (long long)a % b;
    }
    if (result > 2147483647LL || result < -2147483647LL)
        die("overflow", where);
    return (int)result;
}

static int run(void)
{
    int pc = 0;
    for (int step = 0; step < MAX_STEPS; step++) {
        if (pc >= code_size)
            return 0;
        const struct instruction *in = &code[pc++];
        if (stack_size < table[in->op].pops)
            die("stack is empty", in->line);
        if (stack_size - table[in->op].pops + table[in->op].pushes > MAX_STACK)
            die("stack is full", in->line);
        int top = stack_size > 0 ? stack[stack_size - 1] : 0;
        int below = stack_size > 1 ? stack[stack_size - 2] : 0;
        int *base = stack + stack_size - table[in->op].pops;
        stack_size += table[in->op].pushes - table[in->op].pops;
        switch (in->op) {
        case OP_PUSH:
            base[0] = in->value;
            break;
        case OP_POP:
            break;
        case OP_DUP:
            base[1] = top;
            break;
        case OP_SWAP:
            base[0] = top;
            base[1] = below;
            break;
        case OP_OVER:
            base[2] = below;
            break;
        case OP_ADD:
        case OP_SUB:
        case OP_MUL:
        case OP_DIV:
        case OP_MOD:
            base[0] = arithmetic(in->op, below, top, in->line);
            break;
        case OP_EQ:
            base[0] = below == top;
            break;
        case OP_LT:
            base[0] = below < top;
            break;
        case OP_NOT:
            base[0] = !top;
            break;
        case OP_JMP:
            pc = in->value;
            break;
        case OP_JZ:
            if (top == 0)
                pc = in->value;
            break;
        case OP_JNZ:
            if (top != 0)
                pc = in->value;
            break;
        case OP_CALL:
            if (call_depth == MAX_CALLS)
                die("calls are too deep", in->line);
            calls[call_depth++] = pc;
            pc = in->value;
            break;
        case OP_RET:
            if (call_depth == 0)
                die("return without a call", in->line);
            pc = calls[--call_depth];
            break;
        case OP_LOAD:
            base[0] = cells[in->value];
            break;
        case OP_STORE:
            cells[in->value] = top;
            break;
        case OP_PRINT:
            printf("%d\n", top);
            break;
        case OP_EMIT:
            putchar(isprint(top & 0xff) || top == '\n' ? top & 0xff : '?');
            break;
        case OP_ASSERT:
            if (below != top)
                die("assertion failed", in->line);
            break;
        case OP_EXIT:
            if (top < 0 || top > 9)
                die("bad exit status", in->line);
            return 10 + top;
        case OP_HALT:
            return 0;
        }
    }
    fputs("stackvm: too many steps\n", stderr);
    return STEPS;
}

int main(int argc, char **argv)
{
    static char text[128];
    for (int i = 1; i < argc; i++) {
        if (stack_size == 8 || !parse_number(argv[i], &stack[stack_size++])) {
            fputs("usage: stackvm [NUMBER]... < PROGRAM (at most 8 numbers)\n", stderr);
            return USAGE;
        }
    }
    while (fgets(text, sizeof text, stdin) != NULL) {
        line++;
        assemble_line(text);
    }
    resolve();
    if (errors > 0)
        return ASSEMBLY;
    return run();
}

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CODE 256
#define STACK 32
#define FUEL 5000

enum op { PUSH, POP, DUP, SWAP, ADD, SUB, MUL, JMP, JPOS, PRINT, LOAD, STORE, HALT };

static const struct {
    const char *name;
    int operand;
} mnem[] = {
    { "push", 1 }, { "pop", 0 }, { "dup", 0 }, { "swap", 0 }, { "add", 0 },
    { "sub", 0 }, { "mul", 0 }, { "jmp", 1 }, { "jpos", 1 }, { "print", 0 },
    { "load", 1 }, { "store", 1 }, { "halt", 0 }
};

static struct {
    enum op op;
    int arg;
} code[CODE];

static int ncode;
static int stack[STACK];
static int sp;
static int mem[8];

static void trap(const char *why)
{
    printf("trap: %s\n", why);
    exit(1);
}

static void need(int n)
{
    if (sp < n)
        trap("stack underflow");
}

static void push(int v)
{
    if (sp == STACK)
        trap("stack overflow");
    stack[sp++] = v;
}

static int assemble(const char *line)
{
    char word[12];
    int arg = 0, n, i;

    n = sscanf(line, "%11s %d", word, &arg);
    if (n < 1)
        return 1;
    for (i = 0; i < (int)(sizeof mnem / sizeof mnem[0]); i++) {
        if (strcmp(word, mnem[i].name) != 0)
            continue;
        if (mnem[i].operand && n != 2)
            return 0;
        if (ncode == CODE)
            return 0;
        code[ncode].op = (enum op)i;
        code[ncode].arg = arg;
        ncode++;
        return 1;
    }
    return 0;
}

static void run(void)
{
    int pc = 0, fuel = FUEL, a, t;

    while (pc >= 0 && pc < ncode) {
        if (fuel-- == 0)
            trap("out of fuel");
        a = code[pc].arg;
        switch (code[pc++].op) {
        case PUSH:
            push(a);
            break;
        case POP:
            need(1);
            sp--;
            break;
        case DUP:
            need(1);
            push(stack[sp - 1]);
            break;
        case SWAP:
            need(2);
            t = stack[sp - 1];
            stack[sp - 1] = stack[sp - 2];
            stack[sp - 2] = t;
            break;
        case ADD:
            need(2);
            sp--;
            stack[sp - 1] = (int)((unsigned)stack[sp - 1] + (unsigned)stack[sp]);
            break;
        case SUB:
            need(2);
            sp--;
            stack[sp - 1] = (int)((unsigned)stack[sp - 1] - (unsigned)stack[sp]);
            break;
        case MUL:
            need(2);
            sp--;
            stack[sp - 1] = (int)((unsigned)stack[sp - 1] * (unsigned)stack[sp]);
            break;
        case JMP:
            pc = a;
            break;
        case JPOS:
            need(1);
            if (stack[--sp] > 0)
                pc = a;
            break;
        case PRINT:
            need(1);
            printf("%d\n", stack[--sp]);
            break;
        case LOAD:
            push(mem[a & 7]);
            break;
        case STORE:
            need(1);
            mem[a & 7] = stack[--sp];
            break;
        case HALT:
            return;
        }
    }
}

int main(void)
{
    char line[64];
    int no = 0;

    while (fgets(line, sizeof line, stdin) != NULL) {
        no++;
        if (line[0] == '#')
            continue;
        if (!assemble(line)) {
            fprintf(stderr, "line %d: cannot assemble\n", no);
            return 2;
        }
    }
    run();
    return 0;
}

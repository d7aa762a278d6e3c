// Expressions: a node for each operation on symbolic values, simplified as far as one look at its
// operands allows. Sharing equal nodes is left to the host: looking them up costs more than it saves.
#include <string.h>
#include <sys/mman.h>

#include "core.h"

// Pages of the shared memory that are written for the first time cost more than what is written:
// they are asked for ahead, the more the longer the trace is.
uint32_t plx_nodes_ready;

__attribute__((noinline, cold)) void plx_prepare_nodes(uint32_t number) {
    struct plx_header *header = HEADER;
    uint64_t room = header->layout.nodes_room;
    if (room > PLX_LABEL_NODE_MASK) room = PLX_LABEL_NODE_MASK;
    if (number >= room) {
        header->counters[PLX_COUNTER_NODE_LIMIT]++;
        return;
    }
    uint64_t count = number / 2 < 4096 ? 4096 : number / 2 > 262144 ? 262144 : number / 2;
    if (number + count > room) count = room - number;
    uintptr_t start = (uintptr_t)&plx_nodes[number] & ~(uintptr_t)4095;
    madvise((void *)start, (uintptr_t)&plx_nodes[number + count] - start, MADV_POPULATE_READ);
    plx_nodes_ready = (uint32_t)(number + count);
}

plx_label plx_constant(uint8_t width, uint64_t value) {
    return node_with_constant(PLX_OP_CONSTANT, width, 0, 0, 0, value);
}

plx_label plx_wide_constant(uint8_t width, plx_wide value) {
    if (width <= 64) return plx_constant(width, (uint64_t)value);
    plx_label high = plx_constant(width - 64, (uint64_t)(value >> 64));
    return node_with_constant(PLX_OP_CONCAT, width, PLX_RIGHT_CONSTANT, 64, high, (uint64_t)value);
}

static inline uint8_t op_of(uint32_t descriptor) { return (uint8_t)descriptor; }
static inline uint8_t width_of(uint32_t descriptor) { return (uint8_t)(descriptor >> 8); }
static inline uint8_t extra_of(uint32_t descriptor) { return (uint8_t)(descriptor >> 16); }

static inline uint64_t ones(uint32_t bits) { return bits >= 64 ? ~0ull : (1ull << bits) - 1; }

static inline int is_shift(uint8_t op) { return op >= PLX_OP_SHL && op <= PLX_OP_ASHR; }

// A shift by too much is undefined: the machine's answer is taken.
static int is_undefined_shift(uint8_t op, plx_wide amount, uint32_t width) {
    if (!is_shift(op) || amount < width) return 0;
    plx_count(PLX_COUNTER_UNDEFINED, 0);
    return 1;
}

// What a simplification says: this label, or that a node is needed.
#define NODE UINT32_MAX

// `label` (at this width) shifted right by whole bytes, which needs no node.
static plx_label drop_bytes(plx_label label, uint32_t width, uint64_t shift) {
    uint32_t bits = bits_of(label);
    if (shift % 8 != 0 || bits > width) return NODE;
    if (shift >= bits) return 0;
    return label + (plx_label)((shift / 8) << PLX_LABEL_BYTE_SHIFT);
}

// A label of fewer bits than the operation has is never negative and less than a power of two.
static plx_label compare_narrow(uint8_t op, plx_label a, uint32_t width, uint64_t constant,
                                int constant_is_left) {
    uint32_t bits = bits_of(a);
    if (op == PLX_OP_NE && bits == 1 && constant == 0) return a;
    if (op == PLX_OP_EQ && bits == 1 && constant == 1) return a;
    if (bits >= width) return NODE;
    int is_signed = op == PLX_OP_SLT || op == PLX_OP_SLE;
    if (is_signed && constant >> (width - 1) & 1) return 0;
    if (constant > ones(bits)) return 0;
    if (constant == ones(bits) && !constant_is_left && (op == PLX_OP_ULE || op == PLX_OP_SLE)) return 0;
    if (constant == ones(bits) && constant_is_left && (op == PLX_OP_ULT || op == PLX_OP_SLT)) return 0;
    if (constant == 0 && constant_is_left && (op == PLX_OP_ULE || op == PLX_OP_SLE)) return 0;
    if (constant == 0 && !constant_is_left && (op == PLX_OP_ULT || op == PLX_OP_SLT)) return 0;
    return NODE;
}

static plx_label simplify_right(uint8_t op, uint32_t width, plx_label a, uint64_t right) {
    switch (op) {
    case PLX_OP_ADD: case PLX_OP_SUB: case PLX_OP_XOR: return right == 0 ? a : NODE;
    case PLX_OP_OR: return right == 0 ? a : right == ones(width) ? 0 : NODE;
    case PLX_OP_SHL: case PLX_OP_ASHR: return right == 0 ? a : NODE;
    case PLX_OP_LSHR: return drop_bytes(a, width, right);
    case PLX_OP_AND: {
        uint64_t possible = ones(bits_of(a)) & ones(width);
        return (right & possible) == 0 ? 0 : (right & possible) == possible ? a : NODE;
    }
    case PLX_OP_MUL: return right == 0 ? 0 : right == 1 ? a : NODE;
    case PLX_OP_UDIV: case PLX_OP_SDIV: return right == 1 ? a : NODE;
    case PLX_OP_UREM: case PLX_OP_SREM: return right == 1 ? 0 : NODE;
    case PLX_OP_EQ: case PLX_OP_NE: case PLX_OP_ULT: case PLX_OP_ULE: case PLX_OP_SLT: case PLX_OP_SLE:
        return compare_narrow(op, a, width, right, 0);
    default: return NODE;
    }
}

static plx_label simplify_left(uint8_t op, uint32_t width, uint64_t left, plx_label b) {
    switch (op) {
    case PLX_OP_SHL: case PLX_OP_LSHR: case PLX_OP_ASHR: case PLX_OP_UDIV: case PLX_OP_SDIV:
    case PLX_OP_UREM: case PLX_OP_SREM:
        return left == 0 ? 0 : NODE;
    case PLX_OP_ULT: case PLX_OP_ULE: case PLX_OP_SLT: case PLX_OP_SLE:
        return compare_narrow(op, b, width, left, 1);
    default: return NODE;
    }
}

static plx_label simplify_same(uint8_t op, plx_label a) {
    switch (op) {
    case PLX_OP_SUB: case PLX_OP_XOR: case PLX_OP_EQ: case PLX_OP_NE: case PLX_OP_ULT:
    case PLX_OP_ULE: case PLX_OP_SLT: case PLX_OP_SLE:
        return 0;
    case PLX_OP_AND: case PLX_OP_OR: case PLX_OP_UMIN: case PLX_OP_UMAX: case PLX_OP_SMIN:
    case PLX_OP_SMAX:
        return a;
    default: return NODE;
    }
}

static int commutes(uint8_t op) {
    switch (op) {
    case PLX_OP_ADD: case PLX_OP_MUL: case PLX_OP_AND: case PLX_OP_OR: case PLX_OP_XOR:
    case PLX_OP_EQ: case PLX_OP_NE: case PLX_OP_UMIN: case PLX_OP_UMAX: case PLX_OP_SMIN:
    case PLX_OP_SMAX:
        return 1;
    default: return 0;
    }
}

// Conversions of what does not fit are undefined: the machine's answer is taken.
static int fits(uint32_t descriptor, uint64_t bits) {
    uint32_t width = width_of(descriptor);
    double value;
    if (extra_of(descriptor) == 32) {
        float narrow;
        uint32_t low = (uint32_t)bits;
        memcpy(&narrow, &low, 4);
        value = narrow;
    } else {
        memcpy(&value, &bits, 8);
    }
    int is_signed = op_of(descriptor) == PLX_OP_FTO_SIGNED;
    double end = 1;
    for (uint32_t i = 0; i < width - (uint32_t)is_signed; i++) end *= 2;
    // The number below the least one that fits is none if it needs more than 53 bits.
    int is_least = is_signed && value == -end;
    return is_least || (is_signed ? value > -end - 1 && value < end : value > -1 && value < end);
}

PLX_COLD plx_label plx_unary_cold(uint32_t descriptor, plx_label a) {
    a = live(a);
    if (!a) return 0;
    if (op_of(descriptor) == PLX_OP_SIGN_EXTEND && bits_of(a) < extra_of(descriptor)) return a;
    return plx_make_node(op_of(descriptor), width_of(descriptor), 0, extra_of(descriptor), a, 0, 0);
}

// Whether an operation with a constant cannot be simplified, as far as that can be told without
// looking at the other operand: most cannot, and looking costs.
static inline int is_plain(uint8_t op, uint64_t constant) {
    if (op >= PLX_OP_EQ && op <= PLX_OP_SLE) return constant - 2 <= 253;
    return (op == PLX_OP_ADD || op == PLX_OP_SUB || op == PLX_OP_XOR || op == PLX_OP_MUL) && constant > 1;
}

static PLX_COLD plx_label simplified(uint32_t descriptor, plx_label a, plx_label b, uint64_t left,
                                     uint64_t right) {
    uint8_t op = op_of(descriptor), width = width_of(descriptor), extra = extra_of(descriptor);
    a = live(a);
    b = live(b);
    if (!(a | b) || is_undefined_shift(op, right, width)) return 0;
    if ((op == PLX_OP_FTO_SIGNED || op == PLX_OP_FTO_UNSIGNED) && !fits(descriptor, left)) {
        plx_count(PLX_COUNTER_UNDEFINED, 0);
        return 0;
    }
    if (!a && commutes(op)) {
        a = b;
        b = 0;
        right = left;
    }
    plx_label simple = NODE;
    if (!b) simple = simplify_right(op, width, a, right);
    else if (!a) simple = simplify_left(op, width, left, b);
    else if (a == b) simple = simplify_same(op, a);
    if (simple != NODE) return simple;
    if (!b) return node_with_constant(op, width, PLX_RIGHT_CONSTANT, extra, a, right);
    if (!a) return node_with_constant(op, width, PLX_LEFT_CONSTANT, extra, b, left);
    return plx_make_node(op, width, 0, extra, a, b, 0);
}

PLX_COLD plx_label plx_binary_cold(uint32_t descriptor, plx_label a, plx_label b, uint64_t left,
                                   uint64_t right) {
    if (b == 0) {
        if (!is_plain(op_of(descriptor), right)) LEAVE_TO simplified(descriptor, a, b, left, right);
        uint32_t number = HEADER->nodes;
        if (UNLIKELY(number >= plx_nodes_ready)) LEAVE_TO simplified(descriptor, a, b, left, right);
        return plx_write_node(number, (descriptor & 0xffff) | PLX_RIGHT_CONSTANT << 16, a, right);
    }
    if (a == 0 || a == b || is_shift(op_of(descriptor)))
        LEAVE_TO simplified(descriptor, a, b, left, right);
    uint32_t number = HEADER->nodes;
    if (UNLIKELY(number >= plx_nodes_ready)) LEAVE_TO simplified(descriptor, a, b, left, right);
    return plx_write_node(number, descriptor & 0xffff, a, b);
}

PLX_COLD plx_label plx_binary_wide_cold(uint32_t descriptor, plx_label a, plx_label b, plx_wide left,
                                        plx_wide right) {
    uint8_t op = op_of(descriptor), width = width_of(descriptor), extra = extra_of(descriptor);
    a = live(a);
    b = live(b);
    if (!(a | b) || is_undefined_shift(op, right, width)) return 0;
    if (!b && op == PLX_OP_LSHR) {
        plx_label simple = drop_bytes(a, width, (uint64_t)right);
        if (simple != NODE) return simple;
    }
    if (!a) a = plx_wide_constant(width, left);
    if (!b) b = plx_wide_constant(width, right);
    return plx_make_node(op, width, 0, extra, a, b, 0);
}

PLX_COLD plx_label plx_ternary_cold(uint32_t descriptor, plx_label a, plx_label b, plx_label c,
                                    const plx_wide *values) {
    uint8_t width = width_of(descriptor);
    plx_label operands[3] = {live(a), live(b), live(c)};
    if (!(operands[0] | operands[1] | operands[2])) return 0;
    if (op_of(descriptor) == PLX_OP_ITE && !operands[0]) return operands[values[0] & 1 ? 1 : 2];
    for (int i = 0; i < 3; i++)
        if (!operands[i]) operands[i] = plx_wide_constant(width, values[i]);
    return plx_make_node(op_of(descriptor), width, 0, extra_of(descriptor), operands[0], operands[1],
                         operands[2]);
}

PLX_COLD plx_label plx_select_cold(uint32_t descriptor, plx_label condition, plx_label yes,
                                   plx_label no, int taken, uint64_t yes_value, uint64_t no_value) {
    uint8_t width = width_of(descriptor);
    condition = live(condition);
    yes = live(yes);
    no = live(no);
    if (!condition) return taken ? yes : no;
    if (yes == no && (yes || yes_value == no_value)) return yes;
    if (!yes) yes = plx_constant(width, yes_value);
    if (!no) no = plx_constant(width, no_value);
    return plx_make_node(PLX_OP_ITE, width, 0, 0, condition, yes, no);
}

static PLX_COLD plx_label resized(plx_label label, uint32_t from) {
    return plx_make_node(PLX_OP_RESIZE, (uint8_t)from, 0, 0, label, 0, 0);
}

PLX_COLD plx_label plx_extend_cold(plx_label label, uint32_t from) {
    if (bits_of(label) <= from) return label;
    LEAVE_TO resized(label, from);
}

// A pointer that is one of two constants (a slot of argv) is pinned as soon as it is used as one.
int plx_is_choice(plx_label label) {
    const struct plx_node *node = node_of(label);
    return label >> PLX_LABEL_BYTE_SHIFT == 0 && node->op == PLX_OP_ITE && node_of(node->b)->op == PLX_OP_CONSTANT &&
           node_of(node->c)->op == PLX_OP_CONSTANT;
}

plx_label plx_settle_choice(plx_label base, uint64_t value, const uint8_t *site) {
    base = live(base);
    if (!base || !plx_is_choice(base)) return base;
    plx_pin_at(slot_of(site ? site : plx_model_caller), base, value, 64, PLX_PIN_CHOICE);
    return live(base);
}

PLX_COLD plx_label plx_pointer_cold(plx_label base, uint64_t from, uint64_t to) {
    base = live(base);
    if (!base || from == to) return base;
    base = plx_settle_choice(base, from, 0);
    if (!base) return 0;
    return node_with_constant(PLX_OP_ADD, 64, PLX_RIGHT_CONSTANT, 0, base, to - from);
}

static plx_label element(plx_label index, uint64_t base, uint64_t scale) {
    if (scale < 256)
        return node_with_constant(PLX_OP_ELEMENT, 64, PLX_LEFT_CONSTANT, (uint8_t)scale, index, base);
    index = node_with_constant(PLX_OP_MUL, 64, PLX_RIGHT_CONSTANT, 0, index, scale);
    return node_with_constant(PLX_OP_ADD, 64, PLX_RIGHT_CONSTANT, 0, index, base);
}

// `result` is the address, of which `value * scale` comes from the index.
PLX_COLD plx_label plx_index_cold(plx_label sum, plx_label index, uint64_t result, uint64_t value,
                                  uint32_t width, uint64_t scale) {
    sum = live(sum);
    index = live(index);
    if (!index) return sum;
    if (width < 64 && bits_of(index) >= width)
        index = plx_make_node(PLX_OP_SIGN_EXTEND, 64, 0, (uint8_t)width, index, 0, 0);
    if (!index) return sum;
    if (!sum) return element(index, result - value * scale, scale);
    return plx_make_node(PLX_OP_ADD, 64, 0, 0, sum, element(index, -(value * scale), scale), 0);
}

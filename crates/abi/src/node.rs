//! Expressions, as the running program writes them down.

/// The shift of the number of a label's first byte.
pub const LABEL_BYTE_SHIFT: u32 = 28;
/// The bits of a label that number its node.
pub const LABEL_NODE_MASK: u32 = (1 << LABEL_BYTE_SHIFT) - 1;

/// The name of a symbolic value: a node without its lowest bytes. Zero is a concrete value.
#[repr(transparent)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Label(pub u32);

impl Label {
    /// The label of a concrete value.
    pub const CONCRETE: Label = Label(0);

    /// Whether the value is concrete.
    pub fn is_concrete(self) -> bool {
        self.0 == 0
    }

    /// The node, as an index into the node arena. Node 0 is never used.
    pub fn node(self) -> usize {
        (self.0 & LABEL_NODE_MASK) as usize
    }

    /// Number of bytes of the node that are left out at its low end.
    pub fn byte(self) -> u32 {
        self.0 >> LABEL_BYTE_SHIFT
    }
}

/// One operation on symbolic values.
///
/// Unless the operator says otherwise, operands and result have `width` bits, and an operand is
/// the [`Label`] in `a`, `b` or `c`. If one operand of a binary operator is a constant, the other's
/// label is in `a`, the constant in `b` (low half) and `c` (high half), and [`Flags`] say which.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Node {
    /// An [`Op`].
    pub op: u8,
    /// Bits, 1 to 128; of a comparison those of its operands.
    pub width: u8,
    /// [`Flags`].
    pub flags: u8,
    /// A small number that some operators need.
    pub extra: u8,
    /// The first operand.
    pub a: u32,
    /// The second operand, or the low half of a constant.
    pub b: u32,
    /// The third operand, or the high half of a constant.
    pub c: u32,
}

impl Node {
    /// The constant that `b` and `c` hold.
    pub fn constant(&self) -> u64 {
        u64::from(self.b) | u64::from(self.c) << 32
    }

    /// The operator, unless the record was never written.
    pub fn operator(&self) -> Option<Op> {
        Op::from_code(self.op)
    }

    /// Bits of the result.
    pub fn result_width(&self) -> u32 {
        match self.operator() {
            Some(op) if op.is_predicate() => 1,
            _ => u32::from(self.width),
        }
    }

    /// Whether this is an [`Op::Load`] of a pointer, in a proof build.
    pub fn reads_pointer(&self) -> bool {
        self.operator() == Some(Op::Load) && self.extra == POINTER
    }

    /// Whether this is the [`Op::Unwritten`] of a pointer in memory; its own label, if it has one, is in `b`.
    pub fn holds_pointer(&self) -> bool {
        self.operator() == Some(Op::Unwritten) && self.extra == POINTER
    }

    /// The offset that [`Op::Update`] is about.
    pub fn update_offset(&self) -> u32 {
        u32::from(self.extra) | u32::from(self.flags >> 4) << 8
    }
}

/// Marks a pointer, rather than a number, in [`Node::extra`].
pub const POINTER: u8 = 1;

/// Bits of [`Node::flags`].
#[derive(Clone, Copy, Debug)]
pub struct Flags;

impl Flags {
    /// The left operand is the constant, the right one is in `a`.
    pub const LEFT_CONSTANT: u8 = 1;
    /// The right operand is the constant.
    pub const RIGHT_CONSTANT: u8 = 2;
    /// The path condition fixes this value: code that uses it may treat it as concrete.
    pub const PINNED: u8 = 4;
    /// Bits from here up belong to [`Node::update_offset`].
    pub const OFFSET_SHIFT: u8 = 4;
}

macro_rules! operators {
    ($($(#[$doc:meta])* $name:ident = $code:literal $c:literal,)*) => {
        /// The operator of a [`Node`].
        #[repr(u8)]
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Op { $($(#[$doc])* $name = $code,)* }

        impl Op {
            /// All operators.
            pub const ALL: &'static [Op] = &[$(Op::$name,)*];

            /// Its name in C, without the prefix.
            pub fn c_name(self) -> &'static str {
                match self { $(Op::$name => $c,)* }
            }

            /// The operator with this code.
            pub fn from_code(code: u8) -> Option<Op> {
                match code { $($code => Some(Op::$name),)* _ => None }
            }
        }
    };
}

operators! {
    /// `constant()`.
    Constant = 1 "CONSTANT",
    /// A byte of an input: `a` is the input's number, `b` the offset.
    Input = 2 "INPUT",
    /// The length of input `a` in bytes.
    Length = 3 "LENGTH",
    /// The number of arguments, as `argc` counts them.
    Count = 4 "COUNT",
    /// Whether input `a` exists (1 bit).
    Exists = 5 "EXISTS",
    /// `a` cut or extended with zeros to `width`.
    Resize = 6 "RESIZE",
    /// `a`, of `extra` bits, extended with its sign.
    SignExtend = 7 "SIGN_EXTEND",
    /// `a` above `b`, which has `extra` bits; either may be constant.
    Concat = 8 "CONCAT",
    /// `b` where `a` (1 bit) holds, else `c`.
    Ite = 9 "ITE",
    /// The constant plus `a` (64 bits) times `extra`.
    Element = 10 "ELEMENT",
    /// The memory at address `a`, if it looked like blob `b` (little-endian).
    Load = 11 "LOAD",
    /// `a` (64 bits) minus the constant: where in an object an address is.
    Offset = 12 "OFFSET",
    /// `b` if offset `a` (64 bits) is `update_offset()`, else `c`: memory after a store.
    Update = 13 "UPDATE",
    /// The number that a text spells: `a`, or `constant()` if the run has no symbolic digits.
    Number = 14 "NUMBER",
    /// Eight bytes of memory that was never written, or of a pointer that is read as a number; `a`
    /// distinguishes them from all others.
    Unwritten = 15 "UNWRITTEN",

    /// Sum.
    Add = 16 "ADD",
    /// Difference.
    Sub = 17 "SUB",
    /// Product.
    Mul = 18 "MUL",
    /// Unsigned quotient.
    UDiv = 19 "UDIV",
    /// Signed quotient, towards zero.
    SDiv = 20 "SDIV",
    /// Unsigned remainder.
    URem = 21 "UREM",
    /// Signed remainder, with the sign of the dividend.
    SRem = 22 "SREM",
    /// Left shift; 0 if by `width` or more.
    Shl = 23 "SHL",
    /// Right shift with zeros; 0 if by `width` or more.
    LShr = 24 "LSHR",
    /// Right shift with the sign; only the sign if by `width` or more.
    AShr = 25 "ASHR",
    /// Conjunction.
    And = 26 "AND",
    /// Disjunction.
    Or = 27 "OR",
    /// Exclusive disjunction.
    Xor = 28 "XOR",
    /// Unsigned minimum.
    UMin = 29 "UMIN",
    /// Unsigned maximum.
    UMax = 30 "UMAX",
    /// Signed minimum.
    SMin = 31 "SMIN",
    /// Signed maximum.
    SMax = 32 "SMAX",
    /// Unsigned sum that stops at the greatest value.
    UAddSat = 33 "UADD_SAT",
    /// Signed sum that stops at either end.
    SAddSat = 34 "SADD_SAT",
    /// Unsigned difference that stops at zero.
    USubSat = 35 "USUB_SAT",
    /// Signed difference that stops at either end.
    SSubSat = 36 "SSUB_SAT",
    /// The high half of `a:b` shifted left by `c` modulo the width.
    FunnelLeft = 37 "FUNNEL_LEFT",
    /// The low half of `a:b` shifted right by `c` modulo the width.
    FunnelRight = 38 "FUNNEL_RIGHT",
    /// The number of set bits.
    PopCount = 39 "POP_COUNT",
    /// The number of zeros above the highest set bit; `width` for 0.
    LeadingZeros = 40 "LEADING_ZEROS",
    /// The number of zeros below the lowest set bit; `width` for 0.
    TrailingZeros = 41 "TRAILING_ZEROS",
    /// The bytes in reverse.
    ByteSwap = 42 "BYTE_SWAP",
    /// The bits in reverse.
    BitReverse = 43 "BIT_REVERSE",
    /// The absolute value; the least number is its own.
    Abs = 44 "ABS",

    /// Equal.
    Eq = 64 "EQ",
    /// Not equal.
    Ne = 65 "NE",
    /// Unsigned less.
    ULt = 66 "ULT",
    /// Unsigned less or equal.
    ULe = 67 "ULE",
    /// Signed less.
    SLt = 68 "SLT",
    /// Signed less or equal.
    SLe = 69 "SLE",
    /// The unsigned sum does not fit.
    UAddOverflow = 70 "UADD_OVERFLOW",
    /// The signed sum does not fit.
    SAddOverflow = 71 "SADD_OVERFLOW",
    /// The unsigned difference does not fit.
    USubOverflow = 72 "USUB_OVERFLOW",
    /// The signed difference does not fit.
    SSubOverflow = 73 "SSUB_OVERFLOW",
    /// The unsigned product does not fit.
    UMulOverflow = 74 "UMUL_OVERFLOW",
    /// The signed product does not fit.
    SMulOverflow = 75 "SMUL_OVERFLOW",
    /// IEEE comparison: ordered and equal.
    FOEq = 76 "FOEQ",
    /// Ordered and less.
    FOLt = 77 "FOLT",
    /// Ordered and less or equal.
    FOLe = 78 "FOLE",
    /// Ordered and not equal.
    FONe = 79 "FONE",
    /// Unordered: one of them is NaN.
    FUno = 80 "FUNO",
    /// Not ordered-and-equal.
    FUNe = 81 "FUNE",
    /// Unordered or less.
    FULt = 82 "FULT",
    /// Unordered or less or equal.
    FULe = 83 "FULE",
    /// Unordered or equal.
    FUEq = 84 "FUEQ",
    /// Ordered: none of them is NaN.
    FOrd = 85 "FORD",

    /// IEEE sum, to nearest even, as all that follow; operands are bit patterns of 32 or 64 bits.
    FAdd = 128 "FADD",
    /// Difference.
    FSub = 129 "FSUB",
    /// Product.
    FMul = 130 "FMUL",
    /// Quotient.
    FDiv = 131 "FDIV",
    /// Remainder as C's `fmod` has it.
    FRem = 132 "FREM",
    /// The sign inverted.
    FNeg = 133 "FNEG",
    /// The sign cleared.
    FAbs = 134 "FABS",
    /// Square root.
    FSqrt = 135 "FSQRT",
    /// `a * b + c`, rounded once.
    FMulAdd = 136 "FMUL_ADD",
    /// C's `fmin`.
    FMin = 137 "FMIN",
    /// C's `fmax`.
    FMax = 138 "FMAX",
    /// `a` with the sign of `b`.
    FCopySign = 139 "FCOPY_SIGN",
    /// Rounded down to an integer.
    FFloor = 140 "FFLOOR",
    /// Rounded up to an integer.
    FCeil = 141 "FCEIL",
    /// Rounded towards zero to an integer.
    FTrunc = 142 "FTRUNC",
    /// Rounded to an integer, to even if in the middle.
    FRoundEven = 143 "FROUND_EVEN",
    /// Rounded to an integer, away from zero if in the middle.
    FRound = 144 "FROUND",
    /// `a`, a float of `extra` bits, as one of `width` bits.
    FResize = 145 "FRESIZE",
    /// `a`, a float of `extra` bits, as a signed integer; in range, or the run is marked.
    FToSigned = 146 "FTO_SIGNED",
    /// `a`, a float of `extra` bits, as an unsigned integer; in range, or the run is marked.
    FToUnsigned = 147 "FTO_UNSIGNED",
    /// `a`, a signed integer of `extra` bits, as a float.
    FFromSigned = 148 "FFROM_SIGNED",
    /// `a`, an unsigned integer of `extra` bits, as a float.
    FFromUnsigned = 149 "FFROM_UNSIGNED",
}

impl Op {
    /// Whether the result is one bit while `width` is that of the operands.
    pub fn is_predicate(self) -> bool {
        (64..128).contains(&(self as u8))
    }
}

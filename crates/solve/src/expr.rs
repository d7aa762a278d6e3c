//! One operation on values, and its name in a graph.
//!
//! An expression is sixteen bytes: operands are numbers, a constant is an index into the graph's
//! table. So a graph of millions is a flat array without anything to drop, and comparing or
//! hashing an expression never looks at its operands.

use std::hash::{Hash, Hasher};

use parallax_abi::Op;

use crate::{SnapshotId, VariableId};

/// An expression of a [`Graph`](crate::Graph). Operands have smaller numbers than what they are
/// used in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ExprId(pub u32);

/// A value of the graph's table of constants.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ConstantId(pub(crate) u32);

/// An expression. `width` is always that of the result, in bits, from 1 to 128.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expr {
    /// A number.
    Constant {
        /// Bits.
        width: u8,
        /// Which one.
        constant: ConstantId,
    },
    /// A part of an input.
    Variable {
        /// Bits.
        width: u8,
        /// Which one.
        variable: VariableId,
    },
    /// `width` bits of `a`, beginning with bit `low`.
    Extract {
        /// Bits.
        width: u8,
        /// The lowest bit that is taken.
        low: u8,
        /// The operand.
        a: ExprId,
    },
    /// An operation on one value, whose width need not be that of the result.
    Unary {
        /// The operator.
        operator: Unary,
        /// Bits of the result.
        width: u8,
        /// The operand.
        a: ExprId,
    },
    /// An operation on two values of one width.
    Binary {
        /// The operator.
        operator: Binary,
        /// Bits of the result.
        width: u8,
        /// The left operand.
        a: ExprId,
        /// The right operand.
        b: ExprId,
    },
    /// An operation on three values.
    Ternary {
        /// The operator.
        operator: Ternary,
        /// Bits of the result.
        width: u8,
        /// The first operand.
        a: ExprId,
        /// The second operand.
        b: ExprId,
        /// The third operand.
        c: ExprId,
    },
    /// The contents of a snapshot at an address, little-endian.
    Load {
        /// Bits; a width that is no multiple of 8 leaves the topmost of the last byte out.
        width: u8,
        /// The contents.
        snapshot: SnapshotId,
        /// Where, 64 bits wide.
        address: ExprId,
    },
}

impl Expr {
    /// Bits of the result.
    pub fn width(&self) -> u32 {
        match *self {
            Expr::Constant { width, .. }
            | Expr::Variable { width, .. }
            | Expr::Extract { width, .. }
            | Expr::Unary { width, .. }
            | Expr::Binary { width, .. }
            | Expr::Ternary { width, .. }
            | Expr::Load { width, .. } => width.into(),
        }
    }

    /// The operands. The symbolic bytes of a snapshot are not among them.
    pub fn operands(&self) -> impl Iterator<Item = ExprId> + use<> {
        let (operands, count) = match *self {
            Expr::Constant { .. } | Expr::Variable { .. } => ([ExprId(0); 3], 0),
            Expr::Extract { a, .. } | Expr::Unary { a, .. } => ([a; 3], 1),
            Expr::Load { address, .. } => ([address; 3], 1),
            Expr::Binary { a, b, .. } => ([a, b, b], 2),
            Expr::Ternary { a, b, c, .. } => ([a, b, c], 3),
        };
        operands.into_iter().take(count)
    }

    /// A number for each kind of expression.
    pub(crate) fn kind(&self) -> u8 {
        match self {
            Expr::Constant { .. } => 0,
            Expr::Variable { .. } => 1,
            Expr::Extract { .. } => 2,
            Expr::Unary { .. } => 3,
            Expr::Binary { .. } => 4,
            Expr::Ternary { .. } => 5,
            Expr::Load { .. } => 6,
        }
    }

    /// Whether it has no operands.
    pub fn is_leaf(&self) -> bool {
        matches!(self, Expr::Constant { .. } | Expr::Variable { .. })
    }
}

/// Hashes two words instead of each field, because every expression that is built is hashed.
impl Hash for Expr {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let (detail, first, rest) = match *self {
            Expr::Constant { constant, .. } => (0, constant.0, 0),
            Expr::Variable { variable, .. } => (0, variable.0, 0),
            Expr::Extract { low, a, .. } => (low, a.0, 0),
            Expr::Unary { operator, a, .. } => (operator as u8, a.0, 0),
            Expr::Binary { operator, a, b, .. } => (operator as u8, a.0, b.0.into()),
            Expr::Ternary { operator, a, b, c, .. } => {
                (operator as u8, a.0, u64::from(b.0) | u64::from(c.0) << 32)
            }
            Expr::Load { snapshot, address, .. } => (0, address.0, snapshot.0.into()),
        };
        let start = u32::from_le_bytes([self.kind(), detail, self.width() as u8, 0]);
        state.write_u64(u64::from(start) << 32 | u64::from(first));
        state.write_u64(rest);
    }
}

macro_rules! operators {
    (
        $(#[$doc:meta])* $type:ident
        traced { $($(#[$traced_doc:meta])* $traced:ident,)* }
        host { $($(#[$host_doc:meta])* $host:ident,)* }
    ) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $type {
            $($(#[$traced_doc])* $traced,)*
            $($(#[$host_doc])* $host,)*
        }

        impl $type {
            /// All of them.
            pub const ALL: &'static [$type] = &[$($type::$traced,)* $($type::$host,)*];

            /// The operator that a trace calls so.
            pub fn from_traced(op: Op) -> Option<$type> {
                match op { $(Op::$traced => Some($type::$traced),)* _ => None }
            }
        }
    };
}

operators! {
    /// Operators on one value. They mean what [`Op`] says.
    Unary
    traced {
        /// Extended with the sign.
        SignExtend,
        /// How many bits are set.
        PopCount,
        /// Zeros above the highest set bit.
        LeadingZeros,
        /// Zeros below the lowest set bit.
        TrailingZeros,
        /// The bytes in reverse.
        ByteSwap,
        /// The bits in reverse.
        BitReverse,
        /// The absolute value.
        Abs,
        /// The sign of a float inverted.
        FNeg,
        /// The sign of a float cleared.
        FAbs,
        /// Square root.
        FSqrt,
        /// Rounded down.
        FFloor,
        /// Rounded up.
        FCeil,
        /// Rounded towards zero.
        FTrunc,
        /// Rounded, to even if in the middle.
        FRoundEven,
        /// Rounded, away from zero if in the middle.
        FRound,
        /// A float as one of another width.
        FResize,
        /// A float as a signed integer.
        FToSigned,
        /// A float as an unsigned integer.
        FToUnsigned,
        /// A signed integer as a float.
        FFromSigned,
        /// An unsigned integer as a float.
        FFromUnsigned,
    }
    host {
        /// Extended with zeros.
        ZeroExtend,
    }
}

operators! {
    /// Operators on two values. They mean what [`Op`] says; division by zero means what SMT-LIB
    /// says.
    Binary
    traced {
        /// Sum.
        Add,
        /// Difference.
        Sub,
        /// Product.
        Mul,
        /// Unsigned quotient.
        UDiv,
        /// Signed quotient.
        SDiv,
        /// Unsigned remainder.
        URem,
        /// Signed remainder.
        SRem,
        /// Left shift.
        Shl,
        /// Right shift with zeros.
        LShr,
        /// Right shift with the sign.
        AShr,
        /// Conjunction.
        And,
        /// Disjunction.
        Or,
        /// Exclusive disjunction.
        Xor,
        /// Unsigned minimum.
        UMin,
        /// Unsigned maximum.
        UMax,
        /// Signed minimum.
        SMin,
        /// Signed maximum.
        SMax,
        /// Unsigned sum that saturates.
        UAddSat,
        /// Signed sum that saturates.
        SAddSat,
        /// Unsigned difference that saturates.
        USubSat,
        /// Signed difference that saturates.
        SSubSat,
        /// Equal.
        Eq,
        /// Not equal.
        Ne,
        /// Unsigned less.
        ULt,
        /// Unsigned less or equal.
        ULe,
        /// Signed less.
        SLt,
        /// Signed less or equal.
        SLe,
        /// The unsigned sum does not fit.
        UAddOverflow,
        /// The signed sum does not fit.
        SAddOverflow,
        /// The unsigned difference does not fit.
        USubOverflow,
        /// The signed difference does not fit.
        SSubOverflow,
        /// The unsigned product does not fit.
        UMulOverflow,
        /// The signed product does not fit.
        SMulOverflow,
        /// Ordered and equal.
        FOEq,
        /// Ordered and less.
        FOLt,
        /// Ordered and less or equal.
        FOLe,
        /// Ordered and not equal.
        FONe,
        /// One of them is NaN.
        FUno,
        /// Unordered or not equal.
        FUNe,
        /// Unordered or less.
        FULt,
        /// Unordered or less or equal.
        FULe,
        /// Unordered or equal.
        FUEq,
        /// None of them is NaN.
        FOrd,
        /// Sum of floats.
        FAdd,
        /// Difference of floats.
        FSub,
        /// Product of floats.
        FMul,
        /// Quotient of floats.
        FDiv,
        /// C's `fmod`.
        FRem,
        /// C's `fmin`.
        FMin,
        /// C's `fmax`.
        FMax,
        /// The left operand with the sign of the right one.
        FCopySign,
    }
    host {
        /// The left operand above the right one. They may differ in width.
        Concat,
    }
}

operators! {
    /// Operators on three values. They mean what [`Op`] says.
    Ternary
    traced {
        /// The second where the first (1 bit) holds, else the third.
        Ite,
        /// The high half of `a:b` shifted left by `c`.
        FunnelLeft,
        /// The low half of `a:b` shifted right by `c`.
        FunnelRight,
        /// `a * b + c`, rounded once.
        FMulAdd,
    }
    host {}
}

impl Unary {
    /// Whether it is defined on floats of 32 and 64 bits only.
    pub fn takes_float(self) -> bool {
        use Unary::*;
        let rounds = matches!(self, FFloor | FCeil | FTrunc | FRoundEven | FRound);
        rounds || matches!(self, FNeg | FAbs | FSqrt | FResize | FToSigned | FToUnsigned)
    }

    /// Whether the result is a float.
    pub fn gives_float(self) -> bool {
        use Unary::*;
        let converts = matches!(self, FFromSigned | FFromUnsigned);
        converts || self.takes_float() && !matches!(self, FToSigned | FToUnsigned)
    }
}

impl Binary {
    /// Whether the result is one bit, whatever the operands' width.
    pub fn is_predicate(self) -> bool {
        (Binary::Eq..=Binary::FOrd).contains(&self)
    }

    /// Whether it is defined on floats of 32 and 64 bits only.
    pub fn takes_floats(self) -> bool {
        (Binary::FOEq..=Binary::FCopySign).contains(&self)
    }

    /// Whether the operands may be exchanged. Sums and products of floats are not among them: of
    /// two NaNs the first survives.
    pub fn is_commutative(self) -> bool {
        use Binary::*;
        let arithmetic = matches!(self, Add | Mul | And | Or | Xor | UMin | UMax | SMin | SMax);
        let equality = matches!(self, Eq | Ne | FOEq | FONe | FUno | FUNe | FUEq | FOrd);
        let checked = matches!(self, UAddOverflow | SAddOverflow | UMulOverflow | SMulOverflow);
        arithmetic || equality || checked || matches!(self, UAddSat | SAddSat)
    }
}

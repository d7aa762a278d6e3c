//! Notation of each operation, one level at a time.

use std::borrow::Cow;

use super::{
    Page,
    number::{Style, negated, number},
};
use crate::{Binary, Expr, ExprId, Part, Ternary, Unary, VariableId, arithmetic::mask};

/// A part of a line.
pub(super) enum Piece {
    Text(Cow<'static, str>),
    Operand(ExprId, Context),
}

/// Surroundings of an operand.
#[derive(Clone, Copy, Default)]
pub(super) struct Context {
    /// An operator that binds less needs parentheses.
    precedence: u8,
    style: Style,
    around: Around,
}

/// Surroundings of arithmetic; they decide whether its width must be shown.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Around {
    /// No hint of the width.
    #[default]
    Else,
    /// Arithmetic of the same width, or a cast to it.
    Same,
    /// Something wider.
    Wider,
}

const CHOICE: u8 = 1;
const EQUALITY: u8 = 7;
const RELATION: u8 = 8;
const SHIFT: u8 = 9;
const SUM: u8 = 10;
const PRODUCT: u8 = 11;
const PREFIX: u8 = 12;
const NAME: u8 = 13;

impl Piece {
    pub(super) fn text(text: impl Into<Cow<'static, str>>) -> Piece {
        Piece::Text(text.into())
    }

    fn operand(id: ExprId, precedence: u8) -> Piece {
        Piece::Operand(id, Context { precedence, ..Context::default() })
    }

    fn styled(id: ExprId, precedence: u8, style: Style) -> Piece {
        Piece::Operand(id, Context { precedence, style, ..Context::default() })
    }

    fn within(id: ExprId, precedence: u8, around: Around) -> Piece {
        Piece::Operand(id, Context { precedence, around, ..Context::default() })
    }
}

/// Pieces, and how strongly what is between them binds.
type Form = (u8, Vec<Piece>);

fn name(text: impl Into<Cow<'static, str>>) -> Form {
    (NAME, vec![Piece::text(text)])
}

fn infix(left: Piece, operator: &'static str, right: Piece, precedence: u8) -> Form {
    (precedence, vec![left, Piece::text(format!(" {operator} ")), right])
}

fn prefix(operator: impl Into<Cow<'static, str>>, operand: ExprId) -> Form {
    (PREFIX, vec![Piece::text(operator), Piece::operand(operand, PREFIX)])
}

fn call(function: impl Into<Cow<'static, str>>, arguments: Vec<Piece>) -> Form {
    let mut pieces = vec![Piece::text(function), Piece::text("(")];
    for (index, argument) in arguments.into_iter().enumerate() {
        if index > 0 {
            pieces.push(Piece::text(", "));
        }
        pieces.push(argument);
    }
    pieces.push(Piece::text(")"));
    (NAME, pieces)
}

impl Page<'_> {
    /// The pieces of an expression where it stands.
    pub(super) fn form(&self, id: ExprId, context: Context) -> Vec<Piece> {
        let must_say = match context.around {
            Around::Else => self.graph.width(id) < 32,
            Around::Same => false,
            Around::Wider => true,
        };
        if must_say && self.wraps(id) {
            let inner = Context { around: Around::Same, ..Context::default() };
            let cast = format!("i{}", self.graph.width(id));
            return call(cast, vec![Piece::Operand(id, inner)]).1;
        }
        let (precedence, mut pieces) = self.unparenthesised(id, context);
        if precedence < context.precedence {
            pieces.insert(0, Piece::text("("));
            pieces.push(Piece::text(")"));
        }
        pieces
    }

    /// Whether bits can be lost above the width.
    fn wraps(&self, id: ExprId) -> bool {
        match self.graph.expr(id) {
            Expr::Binary { operator: Binary::Xor, width, b, .. } => {
                width > 1 && self.graph.as_constant(b) == Some(mask(width.into()))
            }
            Expr::Binary { operator, width, .. } => {
                width > 1
                    && matches!(operator, Binary::Add | Binary::Sub | Binary::Mul | Binary::Shl)
            }
            _ => false,
        }
    }

    fn unparenthesised(&self, id: ExprId, context: Context) -> Form {
        match self.graph.expr(id) {
            Expr::Constant { width, .. } => {
                let value = self.graph.as_constant(id).unwrap_or_default();
                name(number(width.into(), value, context.style))
            }
            Expr::Variable { variable, .. } => name(self.graph.variable(variable).to_string()),
            Expr::Extract { width, low, a } => self.part(width.into(), low.into(), a),
            Expr::Unary { operator, width, a } => self.unary(operator, width.into(), a, context),
            Expr::Binary { operator, width, a, b } => self.binary(operator, width.into(), a, b),
            Expr::Ternary { operator, a, b, c, .. } => ternary(operator, a, b, c),
            Expr::Load { width, address, .. } => {
                call(format!("load{width}"), vec![Piece::operand(address, 0)])
            }
        }
    }

    fn part(&self, width: u32, low: u32, a: ExprId) -> Form {
        if low == 0 {
            let around = if self.wraps(a) { Around::Same } else { Around::Else };
            return call(format!("i{width}"), vec![Piece::within(a, 0, around)]);
        }
        let shift = Piece::text(format!(" >>u {low}"));
        let mut form = call(format!("i{width}"), vec![Piece::operand(a, SHIFT)]);
        form.1.insert(3, shift);
        form
    }

    fn unary(&self, operator: Unary, width: u32, a: ExprId, context: Context) -> Form {
        match operator {
            Unary::ZeroExtend => self.zero_extended(width, a, context),
            Unary::SignExtend => match self.upper_part(a, width) {
                Some((whole, low)) => shift(whole, ">>", low),
                None => prefix(format!("(i{width})"), a),
            },
            _ => {
                let style = if operator.takes_float() { Style::Float } else { Style::Signed };
                let from = self.graph.width(a);
                call(function(operator, from, width), vec![Piece::styled(a, 0, style)])
            }
        }
    }

    fn zero_extended(&self, width: u32, a: ExprId, context: Context) -> Form {
        if let Some((whole, low)) = self.upper_part(a, width) {
            return shift(whole, ">>u", low);
        }
        if let Some((whole, bits)) = self.masked(a, width) {
            let bits = Piece::text(number(width, bits, Style::Mask));
            return infix(Piece::operand(whole, AND), "&", bits, AND);
        }
        let around = Around::Wider;
        let inner = Context { around, ..context };
        (NAME, vec![Piece::Operand(a, inner)])
    }

    /// The value of the given width of which an expression is the upper part.
    fn upper_part(&self, id: ExprId, width: u32) -> Option<(ExprId, u32)> {
        let Expr::Extract { low, a, .. } = self.graph.expr(id) else { return None };
        let fits = self.graph.width(a) == width && low > 0 && self.is_inline(id);
        let reaches = u32::from(low) + self.graph.width(id) == width;
        (fits && reaches).then_some((a, low.into()))
    }

    /// The value of the given width of which an expression is a run of bits, all others zero.
    fn masked(&self, id: ExprId, width: u32) -> Option<(ExprId, u128)> {
        let (run, below) = match self.graph.as_binary(Binary::Concat, id) {
            Some((high, low)) if self.graph.as_constant(low) == Some(0) => {
                (high, self.graph.width(low))
            }
            _ => (id, 0),
        };
        let Expr::Extract { low, a, .. } = self.graph.expr(run) else { return None };
        let count = self.graph.width(run);
        let is_cast = below == 0 && matches!(count, 8 | 16 | 32 | 64);
        let fits = self.graph.width(a) == width && u32::from(low) == below && !is_cast;
        let shown = self.is_inline(id) && self.is_inline(run);
        (fits && shown).then_some((a, mask(count) << below))
    }

    fn binary(&self, operator: Binary, width: u32, a: ExprId, b: ExprId) -> Form {
        let constant = self.graph.as_constant(b);
        match (operator, constant) {
            (Binary::Concat, _) => self.concat(width, a, b),
            (Binary::Add, Some(value)) => match negated(width, value) {
                Some(value) => self.sum(a, "-", Piece::text(number(width, value, Style::Unsigned))),
                None => self.sum(a, "+", Piece::styled(b, PRODUCT, Style::Signed)),
            },
            (Binary::Add, None) => self.sum(a, "+", Piece::within(b, SUM, Around::Same)),
            (Binary::Sub, _) if self.graph.as_constant(a) == Some(0) => {
                (PREFIX, vec![Piece::text("-"), Piece::within(b, PREFIX, Around::Same)])
            }
            (Binary::Sub, _) => self.sum(a, "-", Piece::within(b, PRODUCT, Around::Same)),
            (Binary::Xor, Some(1)) if width == 1 => prefix("!", a),
            (Binary::Xor, Some(value)) if value == mask(width) => {
                (PREFIX, vec![Piece::text("~"), Piece::within(a, PREFIX, Around::Same)])
            }
            _ if operator.is_predicate() => self.predicate(operator, a, b),
            _ => self.operation(operator, width, a, b),
        }
    }

    fn sum(&self, a: ExprId, operator: &'static str, right: Piece) -> Form {
        infix(Piece::within(a, SUM, Around::Same), operator, right, SUM)
    }

    fn operation(&self, operator: Binary, width: u32, a: ExprId, b: ExprId) -> Form {
        use Binary::*;
        let (token, precedence) = match operator {
            Mul => ("*", PRODUCT),
            SDiv => ("/", PRODUCT),
            UDiv => ("/u", PRODUCT),
            SRem => ("%", PRODUCT),
            URem => ("%u", PRODUCT),
            Shl => ("<<", SHIFT),
            AShr => (">>", SHIFT),
            LShr => (">>u", SHIFT),
            And if width == 1 => ("&&", 3),
            Or if width == 1 => ("||", 2),
            And => ("&", AND),
            Or => ("|", 4),
            Xor => ("^", 5),
            FAdd => ("+f", SUM),
            FSub => ("-f", SUM),
            FMul => ("*f", PRODUCT),
            FDiv => ("/f", PRODUCT),
            _ => return self.function_of_two(operator, a, b),
        };
        let style = match operator {
            And | Or | Xor => Style::Mask,
            UDiv | URem | Shl | AShr | LShr => Style::Unsigned,
            _ if operator.takes_floats() => Style::Float,
            _ => Style::Signed,
        };
        let around = match operator {
            Mul | Shl => Around::Same,
            _ => Around::Else,
        };
        // An associative operation needs no parentheses on its right for the same operation.
        let repeats =
            matches!(operator, Mul | And | Or | Xor) && self.graph.as_binary(operator, b).is_some();
        let right = if repeats { precedence } else { precedence + 1 };
        let left = Context { precedence, style, around };
        let right = Context { precedence: right, style, around };
        infix(Piece::Operand(a, left), token, Piece::Operand(b, right), precedence)
    }

    fn function_of_two(&self, operator: Binary, a: ExprId, b: ExprId) -> Form {
        let style = if operator.takes_floats() { Style::Float } else { Style::Signed };
        let function = format!("{operator:?}").to_lowercase();
        call(function, vec![Piece::styled(a, 0, style), Piece::styled(b, 0, style)])
    }

    fn predicate(&self, operator: Binary, a: ExprId, b: ExprId) -> Form {
        use Binary::*;
        let flips = self.graph.as_constant(a).is_some();
        let (token, flipped, opposite) = match operator {
            Eq => ("==", "==", false),
            Ne => ("!=", "!=", false),
            SLt => ("<", ">", false),
            SLe => ("<=", ">=", false),
            ULt => ("<u", ">u", false),
            ULe => ("<=u", ">=u", false),
            FOEq => ("==f", "==f", false),
            FUNe => ("!=f", "!=f", false),
            FOLt => ("<f", ">f", false),
            FOLe => ("<=f", ">=f", false),
            FONe => ("<>f", "<>f", false),
            FUEq => ("<>f", "<>f", true),
            FULt => (">=f", "<=f", true),
            FULe => (">f", "<f", true),
            _ => return self.function_of_two(operator, a, b),
        };
        let is_equality = matches!(operator, Eq | Ne | FOEq | FUNe | FONe | FUEq);
        let precedence = if is_equality { EQUALITY } else { RELATION };
        let style = self.compared(operator, a, b);
        let (left, token, right) = if flips { (b, flipped, a) } else { (a, token, b) };
        let side = |id, precedence| Piece::styled(id, precedence, style);
        let form = infix(side(left, precedence), token, side(right, precedence + 1), precedence);
        if opposite { negation(form) } else { form }
    }

    fn compared(&self, operator: Binary, a: ExprId, b: ExprId) -> Style {
        let is_text = self.graph.width(a) == 8 && !self.wraps(a) && !self.wraps(b);
        match operator {
            _ if operator.takes_floats() => Style::Float,
            Binary::SLt | Binary::SLe => Style::Signed,
            Binary::ULt | Binary::ULe if is_text => Style::Letter,
            _ if is_text => Style::Character,
            Binary::ULt | Binary::ULe => Style::Unsigned,
            _ => Style::Signed,
        }
    }

    fn concat(&self, width: u32, a: ExprId, b: ExprId) -> Form {
        if self.graph.as_constant(b) == Some(0) {
            let whole = match self.graph.expr(a) {
                Expr::Extract { low: 0, a: whole, .. }
                    if self.graph.width(whole) == width && self.is_inline(a) =>
                {
                    Piece::within(whole, SHIFT, Around::Same)
                }
                _ => Piece::within(a, SHIFT, Around::Wider),
            };
            let by = Piece::text(self.graph.width(b).to_string());
            return infix(whole, "<<", by, SHIFT);
        }
        let parts = self.parts(a, b);
        match self.byte_range(&parts) {
            Some(range) => name(range),
            None => {
                let pieces = parts.into_iter().map(|part| Piece::styled(part, 0, Style::Unsigned));
                call("concat", pieces.collect())
            }
        }
    }

    /// The parts of a concatenation, highest first; there are no more than it has bits.
    fn parts(&self, a: ExprId, b: ExprId) -> Vec<ExprId> {
        let (mut high, mut parts) = (a, vec![b]);
        while let Some((a, b)) = self.graph.as_binary(Binary::Concat, high)
            && self.is_inline(high)
        {
            parts.push(b);
            high = a;
        }
        parts.push(high);
        parts.reverse();
        parts
    }

    /// Bytes of one input that follow each other.
    fn byte_range(&self, parts: &[ExprId]) -> Option<String> {
        let bytes: Option<Vec<(VariableId, u32)>> = parts.iter().map(|id| self.byte(*id)).collect();
        let bytes = bytes?;
        let (highest, first) = bytes[0];
        let origin = &self.graph.variable(highest).origin;
        let same = bytes.iter().all(|(id, _)| self.graph.variable(*id).origin == *origin);
        let count = bytes.len() as u32;
        let follows = |offset: &dyn Fn(u32) -> Option<u32>| {
            (0..).zip(&bytes).all(|(index, (_, found))| offset(index) == Some(*found))
        };
        if same && follows(&|index| first.checked_sub(index)) {
            return Some(format!("{origin}[{}..{}]", first + 1 - count, u64::from(first) + 1));
        }
        let range = || format!("be({origin}[{first}..{}])", u64::from(first) + u64::from(count));
        (same && follows(&|index| first.checked_add(index))).then(range)
    }

    fn byte(&self, id: ExprId) -> Option<(VariableId, u32)> {
        let Expr::Variable { variable, .. } = self.graph.expr(id) else { return None };
        match self.graph.variable(variable).part {
            Part::Byte(offset) => Some((variable, offset)),
            _ => None,
        }
    }
}

/// Bitwise conjunction, which C has below comparisons.
const AND: u8 = 6;

fn shift(whole: ExprId, operator: &'static str, by: u32) -> Form {
    infix(Piece::operand(whole, SHIFT), operator, Piece::text(by.to_string()), SHIFT)
}

fn negation(form: Form) -> Form {
    let mut pieces = vec![Piece::text("!(")];
    pieces.extend(form.1);
    pieces.push(Piece::text(")"));
    (PREFIX, pieces)
}

fn ternary(operator: Ternary, a: ExprId, b: ExprId, c: ExprId) -> Form {
    let function = match operator {
        Ternary::Ite => {
            let question = Piece::operand(a, CHOICE + 1);
            let (then, otherwise) = (Piece::operand(b, CHOICE + 1), Piece::operand(c, CHOICE));
            let pieces = [question, Piece::text(" ? "), then, Piece::text(" : "), otherwise];
            return (CHOICE, pieces.into());
        }
        Ternary::FunnelLeft => "fshl",
        Ternary::FunnelRight => "fshr",
        Ternary::FMulAdd => "fma",
    };
    let style = if operator == Ternary::FMulAdd { Style::Float } else { Style::Unsigned };
    call(function, [a, b, c].map(|id| Piece::styled(id, 0, style)).into())
}

fn function(operator: Unary, from: u32, to: u32) -> String {
    match operator {
        Unary::FToSigned => format!("i{to}_of_f{from}"),
        Unary::FToUnsigned => format!("u{to}_of_f{from}"),
        Unary::FFromSigned => format!("f{to}_of_i{from}"),
        Unary::FFromUnsigned => format!("f{to}_of_u{from}"),
        Unary::FResize => format!("f{to}_of_f{from}"),
        _ => format!("{operator:?}").to_lowercase(),
    }
}

//! The scalar types of C, and conversions between them without undefined behaviour.

use super::chance::Chance;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Type {
    pub(crate) name: &'static str,
    pub(crate) bits: u32,
    pub(crate) kind: Kind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Bool,
    Signed,
    Unsigned,
    Float,
}

const fn new(name: &'static str, bits: u32, kind: Kind) -> Type {
    Type { name, bits, kind }
}

pub(crate) const BOOL: Type = new("_Bool", 1, Kind::Bool);
pub(crate) const INT: Type = new("int", 32, Kind::Signed);
pub(crate) const LONG: Type = new("long", 64, Kind::Signed);
pub(crate) const DOUBLE: Type = new("double", 64, Kind::Float);
const ALL: [Type; 16] = [
    BOOL,
    new("signed char", 8, Kind::Signed),
    new("unsigned char", 8, Kind::Unsigned),
    new("char", 8, Kind::Signed),
    new("short", 16, Kind::Signed),
    new("unsigned short", 16, Kind::Unsigned),
    INT,
    new("unsigned", 32, Kind::Unsigned),
    INT,
    LONG,
    new("unsigned long", 64, Kind::Unsigned),
    new("long long", 64, Kind::Signed),
    new("i128", 128, Kind::Signed),
    new("u128", 128, Kind::Unsigned),
    new("float", 32, Kind::Float),
    DOUBLE,
];

impl Type {
    pub(crate) fn any(chance: &mut Chance) -> Type {
        ALL[chance.below(ALL.len())]
    }

    pub(crate) fn integer(chance: &mut Chance) -> Type {
        ALL[1 + chance.below(13)]
    }

    pub(crate) fn float(chance: &mut Chance) -> Type {
        ALL[14 + chance.below(2)]
    }

    pub(crate) fn is_float(self) -> bool {
        self.kind == Kind::Float
    }

    /// The unsigned type that its arithmetic is done in: wide enough not to be promoted.
    pub(crate) fn modular(self) -> &'static str {
        match self.bits {
            ..=32 => "unsigned",
            33..=64 => "unsigned long",
            _ => "u128",
        }
    }

    /// Converts `text`, an expression of type `from`, to this type.
    pub(crate) fn convert(self, from: Type, text: &str) -> String {
        match (from.is_float(), self.kind) {
            (true, Kind::Bool) => format!("(({text}) != 0)"),
            (true, Kind::Signed | Kind::Unsigned) => {
                let (least, most) = self.range();
                let name = self.name;
                format!("(({name})__builtin_fmin(__builtin_fmax({text}, {least}), {most}))")
            }
            _ => format!("(({})({text}))", self.name),
        }
    }

    /// Doubles that are certain to fit.
    fn range(self) -> (&'static str, &'static str) {
        match (self.kind, self.bits) {
            (Kind::Signed, 8) => ("-128.0", "127.0"),
            (Kind::Signed, 16) => ("-32768.0", "32767.0"),
            (Kind::Signed, 32) => ("-2147483648.0", "2147483647.0"),
            (Kind::Signed, 64) => ("-9.2e18", "9.2e18"),
            (Kind::Signed, _) => ("-1.7e38", "1.7e38"),
            (_, 8) => ("0.0", "255.0"),
            (_, 16) => ("0.0", "65535.0"),
            (_, 32) => ("0.0", "4294967295.0"),
            (_, 64) => ("0.0", "1.84e19"),
            _ => ("0.0", "3.4e38"),
        }
    }

    pub(crate) fn constant(self, chance: &mut Chance) -> String {
        const DOUBLES: [&str; 10] = [
            "0.0",
            "-0.0",
            "1.0",
            "-1.5",
            "0.1",
            "255.0",
            "-32768.0",
            "4294967296.0",
            "1e300",
            "1e-310",
        ];
        const INTEGERS: [&str; 14] = [
            "0",
            "1",
            "-1",
            "2",
            "7",
            "10",
            "-128",
            "127",
            "255",
            "32767",
            "65536",
            "2147483647",
            "-2147483648L",
            "0x7fffffffffffffffL",
        ];
        match self.kind {
            Kind::Float => format!("(({}){})", self.name, chance.pick(&DOUBLES)),
            _ if chance.percent(30) => {
                let number = chance.next() >> chance.below(64);
                format!("(({}){number:#x}UL)", self.name)
            }
            _ if self.bits == 128 && chance.percent(40) => {
                format!(
                    "((({}){:#x}UL << 64) | {})",
                    self.name,
                    chance.next() >> 8,
                    chance.below(99)
                )
            }
            _ => format!("(({}){})", self.name, chance.pick(&INTEGERS)),
        }
    }

    /// A statement that prints `text`, which has this type.
    pub(crate) fn print(self, chance: &mut Chance, text: &str) -> String {
        match (self.kind, self.bits) {
            (Kind::Float, bits) => format!("show_f{bits}({text});"),
            (Kind::Bool, _) => format!("printf(\" %d\", {text});"),
            (_, 128) => format!("show_wide({text});"),
            (Kind::Signed, 64) => format!("printf(\" %ld\", (long)({text}));"),
            (_, 64) => format!("printf(\" %lx\", (unsigned long)({text}));"),
            (_, 8) if chance.percent(30) => format!("printf(\" %hhd\", {text});"),
            (_, 16) if chance.percent(30) => format!("printf(\" %hu\", {text});"),
            (Kind::Signed, _) => format!("printf(\" %d\", {text});"),
            _ => format!("printf(\" %{}\", {text});", chance.pick(&["u", "x", "o"])),
        }
    }
}

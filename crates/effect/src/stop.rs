//! The reasons why an effect goes no further, and the conditions under which it would live on.
//!
//! The table is that of transfer conditions: the condition under which an operation on operands that
//! differ gives results that differ. Addition has none: it always passes a difference on.

use parallax_program::{Detail, Instruction, Opcode, Operand, SiteId};

use crate::{
    code::Code,
    run::{Run, StepId, UseKind},
    value::{Number, operand, operand_text, read_from, signed},
};

/// The reason why an effect ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Why {
    /// Printed output, or the ending of the program, differs.
    Printed,
    /// A value that differs is never used.
    NeverUsed,
    /// It is used, but the results are the same.
    Swallowed,
    /// It is used in a decision, which is the same.
    DecidedAlike,
    /// The change was executed and computes the same as the old code.
    ComputedAlike,
    /// A decision differed, and its branches had no lasting effect.
    NothingFollows,
}

impl Why {
    /// In a word or two.
    pub fn text(self) -> &'static str {
        match self {
            Why::Printed => "printed",
            Why::NeverUsed => "never used",
            Why::Swallowed => "swallowed",
            Why::DecidedAlike => "decided alike",
            Why::ComputedAlike => "computed alike",
            Why::NothingFollows => "nothing follows",
        }
    }
}

/// The end of an effect.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Stop {
    /// The reason.
    pub why: Why,
    /// The instruction at which it ends, in the version that `old` names.
    pub site: SiteId,
    /// Whether that is an instruction of the old version.
    pub old: bool,
    /// The operation there: `3 & 1`, `4 > 10`.
    pub operation: Option<String>,
    /// The condition under which the effect would live on.
    pub needs: Option<String>,
    /// Whether only one version got there.
    pub(crate) lonely: bool,
}

/// The unmet condition where old and new code do the same.
pub(crate) const TO_DIFFER: &str = "old and new code must compute something else";

impl Stop {
    /// Whether it is only reported if there is nothing else: code without effect that one version
    /// has, and other ways to the same values.
    pub(crate) fn is_weak(&self) -> bool {
        self.why == Why::ComputedAlike || self.lonely && self.why == Why::DecidedAlike
    }
}

/// The old and the new side of an instance that used something infected without effect.
pub(crate) struct Absorber<'a, 'p> {
    pub(crate) old: (&'a Code<'p>, &'a Run, StepId),
    pub(crate) new: (&'a Code<'p>, &'a Run, StepId),
    /// The use by which the infection came.
    pub(crate) kind: UseKind,
    /// Whether the instance that it used exists in one version only.
    pub(crate) is_lonely: bool,
}

impl Absorber<'_, '_> {
    /// The stop at this instance.
    pub(crate) fn stop(&self) -> Option<Stop> {
        let (code, run, step) = self.new;
        let site = run.at(step).site;
        let instruction = code.instruction(site)?;
        if self.is_same_value() {
            return Some(Stop {
                why: Why::ComputedAlike,
                site,
                old: false,
                operation: None,
                needs: Some(TO_DIFFER.to_owned()),
                lonely: false,
            });
        }
        let why = match is_decision(code, instruction) {
            true => Why::DecidedAlike,
            false => Why::Swallowed,
        };
        Some(Stop {
            lonely: false,
            why,
            site,
            old: false,
            operation: self.operation(instruction),
            needs: self.needs(instruction),
        })
    }

    /// Whether the input was computed in another way, and is the same.
    fn is_same_value(&self) -> bool {
        match self.kind {
            UseKind::Operand(index) => {
                let here = operand(self.new.0, self.new.1, self.new.2, index);
                let there = operand(self.old.0, self.old.1, self.old.2, index);
                here.zip(there).is_some_and(|(here, there)| here == there)
            }
            UseKind::Memory | UseKind::Returned | UseKind::Chosen => self.is_lonely,
        }
    }

    /// The operation on both values: `3 & 1`, and in the old version `5 & 1`.
    fn operation(&self, instruction: &Instruction) -> Option<String> {
        let new = operation(self.new.0, self.new.1, self.new.2, instruction)?;
        let site = self.old.1.at(self.old.2).site;
        let old = self.old.0.instruction(site);
        let old = old.and_then(|it| operation(self.old.0, self.old.1, self.old.2, it));
        Some(match old.filter(|old| *old != new) {
            Some(old) => format!("{old} → {new}"),
            None => new,
        })
    }

    fn needs(&self, instruction: &Instruction) -> Option<String> {
        let index = match self.kind {
            UseKind::Operand(index) => index,
            UseKind::Memory => return Some(reads(self.new.0, instruction)),
            UseKind::Returned | UseKind::Chosen => return None,
        };
        let (code, run, step) = self.new;
        let here = operand(code, run, step, index);
        let there = operand(self.old.0, self.old.1, self.old.2, index);
        let values = there.zip(here);
        let is_binary = instruction.operands.len() == 2;
        let other = is_binary.then(|| operand_text(code, run, step, 1 - index)).flatten();
        let other_number = is_binary.then(|| operand(code, run, step, 1 - index)).flatten();
        let texts = [self.old, self.new]
            .map(|(code, run, step)| operand_text(code, run, step, index).unwrap_or_default());
        let between = values.map(|(old, new)| {
            let mut both = [
                (signed(old.bits, old.width), &texts[0]),
                (signed(new.bits, new.width), &texts[1]),
            ];
            both.sort();
            both.map(|(_, text)| text.clone())
        });
        if is_binary && self.both_differ(1 - index) {
            return Some("the two operands must not differ in ways that cancel out".to_owned());
        }
        let question = Question { index, values, between, other, other_number };
        needed(code, instruction, question)
    }

    fn both_differ(&self, index: u32) -> bool {
        let here = operand(self.new.0, self.new.1, self.new.2, index);
        let there = operand(self.old.0, self.old.1, self.old.2, index);
        here.zip(there).is_some_and(|(here, there)| here.bits != there.bits)
    }
}

/// An operation that did not pass a difference on.
struct Question {
    /// The operand that differs.
    index: u32,
    /// Its values in the old and in the new version.
    values: Option<(Number, Number)>,
    /// The same as text, the smaller one first.
    between: Option<[String; 2]>,
    /// The other operand as text.
    other: Option<String>,
    other_number: Option<Number>,
}

/// The condition under which an operation passes a difference of an operand on.
fn needed(code: &Code<'_>, instruction: &Instruction, question: Question) -> Option<String> {
    let Question { index, values, between, other, other_number } = question;
    let other = other.map_or(String::new(), |other| format!(" ({other})"));
    let differing = values.map(|(old, new)| old.bits ^ new.bits);
    let bits = differing.map_or(String::new(), |bits| format!(" in {bits:#x}"));
    let is_zero = other_number.is_some_and(|number| number.bits == 0);
    Some(match instruction.opcode {
        Opcode::Mul | Opcode::FMul if is_zero => format!("the other factor{other} must not be 0"),
        Opcode::Mul | Opcode::FMul => format!("the other factor{other} must be odd"),
        Opcode::And => format!("a bit{bits} must be set in the other operand{other}"),
        Opcode::Or => format!("a bit{bits} must be clear in the other operand{other}"),
        Opcode::Shl | Opcode::LShr | Opcode::AShr if index == 0 => {
            format!("the shift{other} must leave a bit{bits} in the result")
        }
        Opcode::Shl | Opcode::LShr | Opcode::AShr => {
            format!("the value that is shifted{other} must not be the same after both shifts")
        }
        Opcode::UDiv | Opcode::SDiv | Opcode::FDiv if index == 0 => {
            format!("the divisor{other} must lead to other quotients: a smaller one does")
        }
        Opcode::UDiv | Opcode::SDiv | Opcode::FDiv => {
            format!("the dividend{other} must be larger")
        }
        Opcode::URem | Opcode::SRem | Opcode::FRem if index == 0 => {
            let by = values.map_or(String::new(), |(old, new)| {
                let (old, new) = (signed(old.bits, old.width), signed(new.bits, new.width));
                format!(", which is {}", old.abs_diff(new))
            });
            format!("the divisor{other} must not divide the difference{by}")
        }
        Opcode::URem | Opcode::SRem | Opcode::FRem => {
            format!("the dividend{other} must leave other remainders")
        }
        Opcode::ICmp | Opcode::FCmp => compared(instruction, &other, between),
        Opcode::Select if index == 0 => "the two values to choose from must differ".to_owned(),
        Opcode::Select => "the other value must be chosen".to_owned(),
        Opcode::Phi => "the values to choose from must differ".to_owned(),
        Opcode::Trunc => format!(
            "the values must differ in their lowest {} bits",
            8 * code.program.types.get(instruction.result.0 as usize).map_or(0, |ty| ty.size)
        ),
        Opcode::FpToSi | Opcode::FpToUi | Opcode::FpTrunc => {
            "the values must differ in what is left of them".to_owned()
        }
        Opcode::Load => "what is stored at the two addresses must differ".to_owned(),
        Opcode::Switch => "one of the values must be another case".to_owned(),
        Opcode::Br => "the condition must hold in one version only".to_owned(),
        Opcode::Call => called(code, instruction),
        _ => return None,
    })
}

fn compared(instruction: &Instruction, other: &str, between: Option<[String; 2]>) -> String {
    let is_equality = matches!(
        &instruction.detail,
        Detail::Predicate("eq" | "ne" | "oeq" | "one" | "ueq" | "une")
    );
    match between {
        Some([low, high]) if is_equality => {
            format!("the other side{other} must be {low} or {high}")
        }
        Some([low, high]) => format!("the bound{other} must lie between {low} and {high}"),
        None => format!("the other side{other} must tell the two values apart"),
    }
}

fn called(code: &Code<'_>, instruction: &Instruction) -> String {
    let name = code.callee(instruction).unwrap_or("what is called");
    match name.strip_prefix("llvm.").and_then(|name| name.split('.').next()) {
        Some("smax" | "umax" | "maxnum" | "smin" | "umin" | "minnum") => {
            "the other value must not hide both".to_owned()
        }
        _ => format!("{name} must answer or print something else for the two values"),
    }
}

/// The condition for a read of differing memory that had no effect.
fn reads(code: &Code<'_>, instruction: &Instruction) -> String {
    match instruction.opcode {
        Opcode::Call => {
            let name = code.callee(instruction).unwrap_or("what is called");
            format!("{name} must answer or print something else for what it reads")
        }
        _ => "the part that is read must differ".to_owned(),
    }
}

/// The operator of an instruction in C.
fn symbol(instruction: &Instruction) -> Option<&'static str> {
    Some(match (instruction.opcode, &instruction.detail) {
        (Opcode::Add | Opcode::FAdd, _) => "+",
        (Opcode::Sub | Opcode::FSub, _) => "-",
        (Opcode::Mul | Opcode::FMul, _) => "*",
        (Opcode::UDiv | Opcode::SDiv | Opcode::FDiv, _) => "/",
        (Opcode::URem | Opcode::SRem | Opcode::FRem, _) => "%",
        (Opcode::Shl, _) => "<<",
        (Opcode::LShr | Opcode::AShr, _) => ">>",
        (Opcode::And, _) => "&",
        (Opcode::Or, _) => "|",
        (Opcode::Xor, _) => "^",
        (_, Detail::Predicate(predicate)) => match predicate.trim_start_matches(['u', 's', 'o']) {
            "eq" => "==",
            "ne" => "!=",
            "gt" => ">",
            "ge" => ">=",
            "lt" => "<",
            "le" => "<=",
            _ => return None,
        },
        _ => return None,
    })
}

/// The operation of an instance, with its values.
pub(crate) fn operation(
    code: &Code<'_>,
    run: &Run,
    step: StepId,
    instruction: &Instruction,
) -> Option<String> {
    let text = |index: u32| {
        let operand = *instruction.operands.get(index as usize)?;
        operand_text(code, run, step, index).or_else(|| read_from(code, operand))
    };
    match instruction.opcode {
        Opcode::Call => code.callee(instruction).map(|name| format!("{name}(…)")),
        Opcode::Load => Some("a load from memory".to_owned()),
        Opcode::Select => Some("a choice".to_owned()),
        Opcode::Trunc => Some(format!("{} made shorter", text(0)?)),
        Opcode::Br => Some(format!("the condition is {}", text(0)?)),
        Opcode::Switch => Some(format!("the switch is on {}", text(0)?)),
        _ => {
            let symbol = symbol(instruction)?;
            Some(format!("{} {symbol} {}", text(0)?, text(1)?))
        }
    }
}

/// The most steps from a comparison to a decision.
const DEPTH: u32 = 4;

/// Whether an instruction decides, or computes the condition of a decision.
fn is_decision(code: &Code<'_>, instruction: &Instruction) -> bool {
    match instruction.opcode {
        Opcode::Br | Opcode::Switch => true,
        Opcode::ICmp | Opcode::FCmp => leads_to_decision(code, instruction.site, DEPTH),
        _ => false,
    }
}

fn leads_to_decision(code: &Code<'_>, site: SiteId, depth: u32) -> bool {
    let Some(function) = code.function(site).filter(|_| depth > 0) else { return false };
    let all = function.blocks.iter().flat_map(|block| &block.instructions);
    let mut users = all.filter(|it| it.operands.contains(&Operand::Site(site)));
    users.any(|user| match user.opcode {
        Opcode::Br | Opcode::Switch => true,
        Opcode::ZExt | Opcode::SExt | Opcode::Xor | Opcode::ICmp | Opcode::Phi | Opcode::Trunc => {
            leads_to_decision(code, user.site, depth - 1)
        }
        Opcode::Call => {
            let name = code.callee(user).unwrap_or_default();
            name.starts_with("llvm.expect") && leads_to_decision(code, user.site, depth - 1)
        }
        _ => false,
    })
}

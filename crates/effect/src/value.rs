//! Values and variables in the notation of the source.

use parallax_program::{ConstantId, Detail, Opcode, Operand, SiteId};

use crate::{
    code::Code,
    run::{DEFAULT, Run, Step, StepId, UseKind},
};

/// The signed value of a number of some bits.
pub(crate) fn signed(value: u64, width: u8) -> i64 {
    match width {
        0 | 64.. => value as i64,
        width => ((value << (64 - width)) as i64) >> (64 - width),
    }
}

/// The value that an instance computed, stored or decided.
pub(crate) fn shown(code: &Code<'_>, step: &Step) -> Option<String> {
    let value = step.value?;
    if value == DEFAULT {
        return Some("default".to_owned());
    }
    let ty = type_of(code, step.site).unwrap_or_default();
    Some(written(&ty, value, step.width))
}

fn written(ty: &str, value: u64, width: u8) -> String {
    match (ty, width) {
        ("double", 64) => format!("{}", f64::from_bits(value)),
        ("float", 32) => format!("{}", f32::from_bits(value as u32)),
        (ty, _) if ty.starts_with("ptr") && value == 0 => "NULL".to_owned(),
        (ty, _) if ty.starts_with("ptr") => format!("{value:#x}"),
        (_, 1) => if value == 0 { "false" } else { "true" }.to_owned(),
        (_, 8) if (0x20..0x7f).contains(&value) => {
            format!("'{}'", (value as u8 as char).escape_default())
        }
        (_, width) => signed(value, width).to_string(),
    }
}

/// The type of the value that an instruction computes, stores or returns.
fn type_of(code: &Code<'_>, site: SiteId) -> Option<String> {
    let instruction = code.instruction(site)?;
    let result = |site| {
        let ty = code.instruction(site)?.result;
        code.program.types.get(ty.0 as usize).map(|ty| ty.text.clone())
    };
    match instruction.opcode {
        Opcode::Store | Opcode::Ret | Opcode::Switch => match instruction.operands.first()? {
            Operand::Site(site) => result(*site),
            Operand::Constant(id) => {
                let text = &code.program.constants.get(id.0 as usize)?.text;
                text.split_whitespace().next().map(str::to_owned)
            }
            Operand::Global(_) | Operand::Function(_) => Some("ptr".to_owned()),
            Operand::Parameter(index) => parameter_type(code, site, *index),
            Operand::Other => None,
        },
        _ => result(site),
    }
}

/// The type of a parameter, from a signature such as `i32 (ptr, { i64, i64 }, ...)`.
fn parameter_type(code: &Code<'_>, site: SiteId, index: u32) -> Option<String> {
    let signature = code.function(site)?.signature;
    let text = &code.program.types.get(signature.0 as usize)?.text;
    let (_, parameters) = text.split_once('(')?;
    let mut depth = 0;
    let mut parts = parameters.split(|c: char| {
        depth += i32::from(matches!(c, '{' | '[' | '<')) - i32::from(matches!(c, '}' | ']' | '>'));
        c == ',' && depth == 0
    });
    let own = parts.nth(index as usize)?.trim().trim_end_matches(')');
    Some(own.to_owned())
}

/// A value with its number of bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Number {
    pub(crate) bits: u64,
    pub(crate) width: u8,
}

/// The value of an operand of an instance.
pub(crate) fn operand(code: &Code<'_>, run: &Run, step: StepId, index: u32) -> Option<Number> {
    let instruction = code.instruction(run.at(step).site)?;
    match *instruction.operands.get(index as usize)? {
        Operand::Constant(id) => constant(code, id),
        Operand::Site(site) => {
            let mut uses = run.uses(step).filter(|used| used.kind == UseKind::Operand(index));
            let source = uses.find(|used| run.at(used.source).site == site)?;
            let source = run.at(source.source);
            Some(Number { bits: source.value?, width: source.width })
        }
        _ => None,
    }
}

/// The same as text.
pub(crate) fn operand_text(code: &Code<'_>, run: &Run, step: StepId, index: u32) -> Option<String> {
    let instruction = code.instruction(run.at(step).site)?;
    let number = operand(code, run, step, index)?;
    let ty = match instruction.operands.get(index as usize)? {
        Operand::Site(site) => type_of(code, *site)?,
        _ => String::new(),
    };
    Some(written(&ty, number.bits, number.width))
}

fn constant(code: &Code<'_>, id: ConstantId) -> Option<Number> {
    let text = &code.program.constants.get(id.0 as usize)?.text;
    let (ty, value) = text.split_once(' ')?;
    let width: u8 = match ty.strip_prefix('i') {
        Some(bits) => bits.parse().ok()?,
        None if ty == "ptr" && value == "null" => return Some(Number { bits: 0, width: 64 }),
        None => return None,
    };
    let bits = match value {
        "true" => 1,
        "false" => 0,
        value => value.parse::<i64>().ok()? as u64,
    };
    let mask = if width >= 64 { u64::MAX } else { (1 << width) - 1 };
    Some(Number { bits: bits & mask, width })
}

/// The most steps in the search for a name.
const DEPTH: u32 = 6;

/// The target of a store, in words of the source.
pub(crate) fn stored_to(code: &Code<'_>, site: SiteId) -> Option<String> {
    let instruction = code.instruction(site)?;
    let address = match instruction.opcode {
        Opcode::Store => instruction.operands.get(1)?,
        Opcode::AtomicRmw | Opcode::AtomicCmpXchg => instruction.operands.first()?,
        _ => return None,
    };
    place(code, *address, DEPTH)
}

/// The variable that is read by the operand of an instruction.
pub(crate) fn read_from(code: &Code<'_>, operand: Operand) -> Option<String> {
    let Operand::Site(site) = operand else { return None };
    let instruction = code.instruction(site)?;
    match instruction.opcode {
        Opcode::Load => place(code, *instruction.operands.first()?, DEPTH),
        Opcode::SExt | Opcode::ZExt | Opcode::Trunc | Opcode::Freeze => {
            read_from(code, *instruction.operands.first()?)
        }
        _ => None,
    }
}

fn place(code: &Code<'_>, address: Operand, depth: u32) -> Option<String> {
    let deeper = depth.checked_sub(1)?;
    match address {
        Operand::Global(id) => {
            let name = &code.program.globals.get(id.0 as usize)?.name;
            let is_text = name.starts_with('.') || name.starts_with("plx.");
            (!is_text).then(|| source_name(name).to_owned())
        }
        Operand::Site(site) => {
            let instruction = code.instruction(site)?;
            let base = instruction.operands.first().copied();
            match (&instruction.detail, instruction.opcode) {
                (Detail::Local { name: Some(name), .. }, _) => Some(name.clone()),
                (Detail::Local { name: None, .. }, _) => Some(unnamed(code, site).to_owned()),
                (Detail::Address { strides, .. }, _) => {
                    let base = place(code, base?, deeper)?;
                    let is_indexed = strides.iter().any(Option::is_some);
                    let base = base.strip_prefix('*').unwrap_or(&base);
                    Some(format!("{base}{}", if is_indexed { "[…]" } else { " (a part of it)" }))
                }
                (_, Opcode::Load) => Some(format!("*{}", place(code, base?, deeper)?)),
                (_, Opcode::BitCast | Opcode::Freeze) => place(code, base?, deeper),
                _ => None,
            }
        }
        _ => None,
    }
}

/// The name of a place without one: the result if the function returns the value loaded from it.
fn unnamed(code: &Code<'_>, local: SiteId) -> &'static str {
    let blocks = code.function(local).map_or(&[][..], |function| &function.blocks);
    let ends = blocks.iter().filter_map(|block| block.instructions.last());
    let mut results = ends.filter(|it| it.opcode == Opcode::Ret).flat_map(|it| &it.operands);
    let is_result = results.any(|operand| match operand {
        Operand::Site(site) => code.instruction(*site).is_some_and(|it| {
            it.opcode == Opcode::Load && it.operands.first() == Some(&Operand::Site(local))
        }),
        _ => false,
    });
    if is_result { "the result" } else { "a value without a name" }
}

/// A name without the numbers that distinguish `static` ones.
fn source_name(name: &str) -> &str {
    match name.rsplit_once('.') {
        Some((name, number)) if number.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => name,
    }
}

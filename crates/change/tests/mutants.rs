//! Every small difference is found: a program is never considered equal to a mutant of it.

#![allow(clippy::unwrap_used, reason = "a test's panic is its report")]

mod support;

use parallax_change::changes;
use parallax_program::{
    Constant, ConstantId, Detail, FunctionId, Instruction, Opcode, Operand, Program,
};

/// A bit of everything: scopes that are left early, a table, a structure, a switch, a loop.
const SUBJECT: &str = r#"
int printf(const char *, ...), getchar(void), puts(const char *);
struct entry { int key; const char *name; long uses; };
static struct entry table[] = {{1, "one", 0}, {2, "two", 0}, {7, "seven", 0}};
static int limit = 4;
static int find(int key) {
  for (int i = 0; i < 3; i++) {
    int wanted = table[i].key;
    if (wanted == key) {
      table[i].uses++;
      return i;
    }
    if (wanted > key)
      break;
  }
  return -1;
}
static int step(int c, int *state) {
  switch (c) {
  case 'a': *state += 1; break;
  case 'b': *state -= 2;
  case 'c': return *state > limit && c != 'b' ? 1 : 0;
  default: puts("other");
  }
  return *state - c;
}
int main(int argc, char **argv) {
  int state = argc, c;
  while ((c = getchar()) != -1) {
    int index = find(c & 7);
    if (index < 0)
      continue;
    printf("%s %d\n", table[index].name, step(c, &state));
  }
  return state * 2 - limit;
}
"#;

type Mutation = fn(&mut Program, usize, usize, usize) -> bool;

#[test]
fn every_mutant_is_another_program() {
    let old = support::program(&[("main.c", SUBJECT)], support::DEBUG);
    let mutations: [(&str, Mutation); 7] = [
        ("local", local),
        ("constant", constant),
        ("exchanged operands", operands),
        ("opposite decision", decision),
        ("other way", way),
        ("detail", detail),
        ("callee", callee),
    ];
    let (mut count, mut missed) = (0, Vec::new());
    for (function, block, index) in places(&old) {
        for (name, mutate) in mutations {
            let mut new = old.clone();
            if is_scaffold(&old, &new.functions[function].blocks[block].instructions[index])
                || !mutate(&mut new, function, block, index)
            {
                continue;
            }
            count += 1;
            if changes(&old, &new).is_unchanged() {
                let place = &old.functions[function].blocks[block].instructions[index];
                missed.push(format!("{name} of {place:?}"));
            }
        }
    }
    assert!(count >= 90, "{count} mutants");
    assert!(missed.is_empty(), "{} of {count}:\n{}", missed.len(), missed.join("\n"));
}

fn places(program: &Program) -> Vec<(usize, usize, usize)> {
    let mut places = Vec::new();
    for (function, it) in program.functions.iter().enumerate() {
        for (block, it) in it.blocks.iter().enumerate() {
            places.extend((0..it.instructions.len()).map(|index| (function, block, index)));
        }
    }
    places
}

/// Instructions without a source: the space of locals, where they begin and end, and the stores
/// that only record which jump is under way, in which most values would lead nowhere.
fn is_scaffold(program: &Program, instruction: &Instruction) -> bool {
    let callee = instruction.callee.map_or("", |it| program.at(it).name.as_str());
    let notes_jump = instruction.opcode == Opcode::Store && instruction.location.is_none();
    callee.starts_with("llvm.lifetime") || instruction.opcode == Opcode::Alloca || notes_jump
}

fn at(program: &mut Program, function: usize, block: usize, index: usize) -> &mut Instruction {
    &mut program.functions[function].blocks[block].instructions[index]
}

fn constant(program: &mut Program, function: usize, block: usize, index: usize) -> bool {
    let other = Constant { text: "i32 77".to_owned(), addresses: Vec::new() };
    let id = ConstantId(program.constants.len() as u32);
    program.constants.push(other);
    let instruction = at(program, function, block, index);
    let is_address = instruction.opcode == Opcode::GetElementPtr;
    let held = instruction.operands.iter_mut().find(|it| matches!(it, Operand::Constant(_)));
    match held {
        Some(held) if !is_address => *held = Operand::Constant(id),
        _ => return false,
    }
    true
}

/// Reads or writes another local of the same size.
fn local(program: &mut Program, function: usize, block: usize, index: usize) -> bool {
    let entry = &program.functions[function].blocks[0].instructions;
    let locals = entry.iter().filter_map(|it| match it.detail {
        Detail::Local { size: 4, .. } => Some(Operand::Site(it.site)),
        _ => None,
    });
    let locals: Vec<_> = locals.collect();
    let instruction = at(program, function, block, index);
    let accesses = matches!(instruction.opcode, Opcode::Load | Opcode::Store);
    let Some(pointer) = instruction.operands.last_mut().filter(|_| accesses) else { return false };
    let Some(place) = locals.iter().position(|it| it == pointer) else { return false };
    *pointer = locals[(place + 1) % locals.len()];
    locals.len() > 1
}

fn operands(program: &mut Program, function: usize, block: usize, index: usize) -> bool {
    let instruction = at(program, function, block, index);
    let [first, second, ..] = instruction.operands[..] else { return false };
    let computes = matches!(instruction.opcode, Opcode::Sub | Opcode::ICmp);
    if !computes || first == second {
        return false;
    }
    instruction.operands.swap(0, 1);
    true
}

fn decision(program: &mut Program, function: usize, block: usize, index: usize) -> bool {
    let is_decision = at(program, function, block, index).opcode == Opcode::Br;
    let successors = &mut program.functions[function].blocks[block].successors;
    if !is_decision || successors.len() != 2 {
        return false;
    }
    successors.swap(0, 1);
    true
}

/// Redirects one way to the target of another decision's way.
fn way(program: &mut Program, function: usize, block: usize, index: usize) -> bool {
    if at(program, function, block, index).opcode != Opcode::Br {
        return false;
    }
    let blocks = &mut program.functions[function].blocks;
    let stops = blocks.iter().position(|it| it.successors.is_empty()).unwrap();
    let successors = &mut blocks[block].successors;
    // A jump to the end from right before it changes nothing.
    if successors.len() != 2 || successors.iter().any(|it| it.0 as usize + 1 >= stops) {
        return false;
    }
    successors[0].0 = stops as u32;
    true
}

fn detail(program: &mut Program, function: usize, block: usize, index: usize) -> bool {
    match &mut at(program, function, block, index).detail {
        Detail::Predicate(predicate) => *predicate = "false",
        Detail::Flags(flags) => *flags ^= 1,
        Detail::Address { offset, .. } => *offset += 4,
        _ => return false,
    }
    true
}

fn callee(program: &mut Program, function: usize, block: usize, index: usize) -> bool {
    let count = program.functions.len() as u32;
    let instruction = at(program, function, block, index);
    let Some(callee) = instruction.callee else { return false };
    let other = FunctionId((callee.0 + 1) % count);
    instruction.callee = Some(other);
    let last = instruction.operands.len() - 1;
    instruction.operands[last] = Operand::Function(other);
    true
}

//! Programs that no compiler would make: comparing any of them ends without a panic.

#![allow(clippy::unwrap_used, reason = "a test's panic is its report")]

use parallax_change::changes;
use parallax_program::{
    Block, BlockId, Constant, ConstantId, Detail, Frame, Function, FunctionId, Global, GlobalId,
    HeldAddress, Instruction, Location, Opcode, Operand, Program, SiteId, Type, TypeId,
};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

/// Ids go a little beyond what there is.
const IDS: u32 = 7;

fn location() -> impl Strategy<Value = Option<Location>> {
    let place = (0..3u32, 0..9u32, 0..4u32);
    prop::option::of(place.prop_map(|(file, line, column)| Location { file, line, column }))
}

fn operand() -> impl Strategy<Value = Operand> {
    prop_oneof![
        4 => (0..60u32).prop_map(|id| Operand::Site(SiteId(id))),
        1 => (0..IDS).prop_map(Operand::Parameter),
        1 => (0..IDS).prop_map(|id| Operand::Global(GlobalId(id))),
        1 => (0..IDS).prop_map(|id| Operand::Function(FunctionId(id))),
        2 => (0..IDS).prop_map(|id| Operand::Constant(ConstantId(id))),
        1 => Just(Operand::Other),
    ]
}

fn opcode() -> impl Strategy<Value = Opcode> {
    use Opcode as O;
    prop::sample::select(vec![
        O::Alloca,
        O::Alloca,
        O::Load,
        O::Load,
        O::Store,
        O::Store,
        O::Store,
        O::Br,
        O::Br,
        O::Switch,
        O::Ret,
        O::Add,
        O::Call,
        O::Phi,
        O::GetElementPtr,
        O::Unreachable,
        O::ICmp,
    ])
}

fn detail() -> impl Strategy<Value = Detail> {
    prop_oneof![
        Just(Detail::None),
        Just(Detail::Predicate("eq")),
        (0..9u64, any::<bool>()).prop_map(|(size, volatile)| Detail::Access { size, volatile }),
        (0..9u64, prop::option::of("[ab]")).prop_map(|(size, name)| Detail::Local { size, name }),
        prop::collection::vec(prop::option::of(0..9u64), 0..3)
            .prop_map(|strides| Detail::Address { offset: 4, strides, element: 1 }),
        (0..IDS).prop_map(|it| Detail::Call { signature: TypeId(it), no_return: false }),
    ]
}

fn instruction() -> impl Strategy<Value = Instruction> {
    let operands = prop::collection::vec(operand(), 0..3);
    let callee = prop::option::of((0..IDS).prop_map(FunctionId));
    (opcode(), location(), callee, operands, 0..IDS, detail()).prop_map(
        |(opcode, location, callee, operands, result, detail)| Instruction {
            origin: None,
            site: SiteId(0),
            opcode,
            location,
            callee,
            operands,
            result: TypeId(result),
            detail,
        },
    )
}

fn block() -> impl Strategy<Value = Block> {
    let instructions = prop::collection::vec(instruction(), 0..6);
    let successors = prop::collection::vec((0..IDS).prop_map(BlockId), 0..4);
    (instructions, successors, prop::collection::vec(0..4u64, 0..3))
        .prop_map(|(instructions, successors, cases)| Block { instructions, successors, cases })
}

fn function() -> impl Strategy<Value = Function> {
    let blocks = prop::collection::vec(block(), 0..5);
    let name = prop::sample::select(vec!["main", "f", "g", "f.1", "llvm.lifetime.start.p0", "."]);
    (name, any::<bool>(), location(), 0..IDS, blocks).prop_map(
        |(name, external, location, signature, blocks)| Function {
            name: name.to_owned(),
            external,
            borrowed: false,
            location,
            signature: TypeId(signature),
            parameters: 2,
            no_return: false,
            address_taken: false,
            blocks,
        },
    )
}

fn constant() -> impl Strategy<Value = Constant> {
    let text = prop::sample::select(vec!["i32 1", "i32 3", "[2 x i8] c\"a\\00\"", "{@0}", ""]);
    let address = (operand(), prop::option::of(0..9i64));
    let addresses = prop::collection::vec(address, 0..3);
    (text, addresses).prop_map(|(text, addresses)| Constant {
        text: text.to_owned(),
        addresses: addresses
            .into_iter()
            .map(|(base, offset)| HeldAddress { at: 0, base, offset })
            .collect(),
    })
}

fn global() -> impl Strategy<Value = Global> {
    let name = prop::sample::select(vec!["a", "b", ".str", ".str.1", "a.2"]);
    let initializer = prop::option::of((0..IDS).prop_map(ConstantId));
    (name, any::<bool>(), any::<bool>(), initializer, 0..9u64).prop_map(
        |(name, external, constant, initializer, size)| Global {
            name: name.to_owned(),
            external,
            constant,
            location: None,
            initializer,
            size,
        },
    )
}

fn program() -> impl Strategy<Value = Program> {
    (
        prop::collection::vec(function(), 0..5),
        prop::collection::vec(global(), 0..5),
        prop::collection::vec(constant(), 0..5),
    )
        .prop_map(|(functions, globals, constants)| {
            let types = ["i32", "void (i32)", "ptr"];
            let types = types.map(|text| Type { text: text.to_owned(), size: 4 }).to_vec();
            let files = vec!["/x/a.c".to_owned(), "/x/a.h".to_owned()];
            let frame = Frame::default();
            numbered(Program { functions, globals, constants, types, files, frame })
        })
}

/// Gives the instructions the ids that they have in every program.
fn numbered(mut program: Program) -> Program {
    let mut next = 0..;
    let blocks = program.functions.iter_mut().flat_map(|function| &mut function.blocks);
    for instruction in blocks.flat_map(|block| &mut block.instructions) {
        instruction.site = SiteId(next.next().unwrap());
    }
    program
}

proptest! {
    // Deterministic programs: failures from elsewhere are kept beside this file.
    #![proptest_config(ProptestConfig {
        cases: 2000,
        rng_seed: RngSeed::Fixed(1),
        ..ProptestConfig::default()
    })]

    #[test]
    fn any_two_programs_are_compared(old in program(), new in program()) {
        let found = changes(&old, &new);
        for change in &found.changes {
            prop_assert!(!change.old_sites.is_empty() || !change.new_sites.is_empty()
                || change.site.is_none() && change.old_site.is_none());
        }
    }

    #[test]
    fn any_program_is_the_same_as_itself(program in program()) {
        prop_assert!(changes(&program, &program).is_unchanged());
    }
}

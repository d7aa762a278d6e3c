//! Distances and slices against their definitions, on random programs.

use parallax_change::Distances;
use parallax_program::{
    Block, BlockId, Detail, Function, FunctionId, Instruction, Opcode, Operand, Program, SiteId,
    Type, TypeId, Version,
    dependence::{Extent, Follow},
};

use super::subject::Subject;

/// Deterministic pseudo-random numbers.
struct Chance(u64);

impl Chance {
    fn below(&mut self, bound: u32) -> u32 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % u64::from(bound)) as u32
    }
}

/// A program of one function whose last block returns and can be reached from all others.
fn random_program(chance: &mut Chance) -> Program {
    let count = 2 + chance.below(10);
    let blocks = (0..count).map(|number| {
        let is_last = number + 1 == count;
        let ways = if is_last { 0 } else { 1 + chance.below(3) };
        let mut successors: Vec<_> = (0..ways).map(|_| BlockId(chance.below(count))).collect();
        if ways > 0 {
            // No block before the last one is a dead end.
            successors[0] = BlockId(number + 1 + chance.below(count - number - 1));
        }
        let opcode = match ways {
            0 => Opcode::Ret,
            1 | 2 => Opcode::Br,
            _ => Opcode::Switch,
        };
        let jump = Instruction {
            origin: None,
            site: SiteId(number),
            opcode,
            location: None,
            callee: None,
            operands: vec![Operand::Other; usize::from(ways > 1)],
            result: TypeId(0),
            detail: Detail::None,
        };
        Block { instructions: vec![jump], cases: (1..u64::from(ways)).collect(), successors }
    });
    let main = Function {
        name: "main".into(),
        external: true,
        borrowed: false,
        location: None,
        signature: TypeId(0),
        parameters: 0,
        no_return: false,
        address_taken: false,
        blocks: blocks.collect(),
    };
    let types = vec![Type { text: "void ()".into(), size: 0 }];
    Program { functions: vec![main], types, ..Program::default() }
}

/// Whether all paths from a block to the end go through another one.
fn follows(blocks: &[Block], node: u32, start: u32) -> bool {
    let mut seen = vec![false; blocks.len()];
    let mut stack = vec![start];
    while let Some(at) = stack.pop() {
        if at == node || std::mem::replace(&mut seen[at as usize], true) {
            continue;
        }
        if blocks[at as usize].successors.is_empty() {
            return false;
        }
        stack.extend(blocks[at as usize].successors.iter().map(|block| block.0));
    }
    true
}

/// The distance of each way, by iterating over all blocks to a fixpoint.
fn expected(blocks: &[Block], target: u32) -> Vec<Vec<Option<u32>>> {
    let mut nodes = vec![None; blocks.len()];
    nodes[target as usize] = Some(0);
    let mut ways: Vec<Vec<Option<u32>>> =
        blocks.iter().map(|block| vec![None; block.successors.len()]).collect();
    let nearer = |one: Option<u32>, other: Option<u32>| match (one, other) {
        (Some(one), Some(other)) => Some(one.min(other)),
        (one, other) => one.or(other),
    };
    for _ in 0..=blocks.len() {
        for (from, block) in blocks.iter().enumerate().filter(|(_, it)| it.successors.len() > 1) {
            for (way, to) in block.successors.iter().enumerate() {
                for node in 0..blocks.len() as u32 {
                    let always = node as usize != from && follows(blocks, node, from as u32);
                    if follows(blocks, node, to.0) && !always {
                        let distance = nodes[node as usize].map(|distance: u32| distance + 1);
                        ways[from][way] = nearer(ways[from][way], distance);
                    }
                }
                nodes[from] = nearer(nodes[from], ways[from][way]);
            }
        }
    }
    ways
}

#[test]
fn distances_are_the_least_numbers_of_steps() {
    let mut chance = Chance(5);
    for _ in 0..600 {
        let version = Version::new(random_program(&mut chance));
        let blocks = &version.program.functions[0].blocks;
        let target = chance.below(blocks.len() as u32);
        let node = version.whole.node_at(SiteId(target)).unwrap();
        let distances = Distances::to(&version.whole, &[node]);
        for (block, ways) in (0..).map(BlockId).zip(expected(blocks, target)) {
            for (way, expected) in (0..).zip(ways) {
                let found = distances.of_way(&version.whole, FunctionId(0), block, way);
                assert_eq!(found, expected, "way {way} of {block:?} to {target}: {blocks:?}");
            }
        }
    }
}

/// A text of one function with variables, an array, a pointer and decisions.
fn random_text(chance: &mut Chance) -> String {
    let mut text =
        String::from("int printf(const char *, ...);\nint main(int argc, char **argv) {\n");
    text += "    int v0 = argc, v1 = 1, v2 = 2, v3 = 3, a[4] = {0}, *p = &v0;\n";
    for number in 0..25 {
        let mut variable = || format!("v{}", chance.below(4));
        let (one, other, third) = (variable(), variable(), variable());
        let line = match chance.below(8) {
            0 => format!("{one} = {other} + {third};"),
            1 => format!("a[{one} & 3] = {other};"),
            2 => format!("{one} = a[{other} & 3];"),
            3 => format!("p = &{one};"),
            4 => format!("*p = {one};"),
            5 => format!("{one} = *p;"),
            6 => format!("if ({one} > {other}) {third}++;"),
            _ => format!("while ({one} > {other}) {{ {one}--; {third} += 2; }}"),
        };
        text += &format!("    {line} /*@{number}*/\n");
    }
    text + "    printf(\"%d %d\\n\", v0, a[1]);\n    return v2;\n}\n"
}

#[test]
fn slices_are_the_closure_of_direct_dependence() {
    let mut chance = Chance(6);
    for _ in 0..12 {
        let subject = Subject::new(&random_text(&mut chance));
        let dependence = subject.dependence();
        for follow in [Follow::Dependents, Follow::Sources] {
            let start = subject.sites(&chance.below(25).to_string());
            let slice = dependence.slice(&start, follow, Extent::All);
            let mut closure = start.clone();
            let mut known: std::collections::BTreeSet<_> = start.iter().copied().collect();
            while let Some(site) = closure.pop() {
                let next = dependence.slice(&[site], follow, Extent::Direct);
                let next = next.sites.iter().map(|site| SiteId(site as u32));
                closure.extend(next.filter(|site| known.insert(*site)));
            }
            let found: std::collections::BTreeSet<_> =
                slice.sites.iter().map(|site| SiteId(site as u32)).collect();
            assert_eq!(found, known, "{follow:?}");
        }
    }
}

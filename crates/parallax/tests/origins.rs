//! The ways of branches in traces are those of the program as it was compiled.

#![allow(clippy::unwrap_used, reason = "a test's panic is its report")]

mod place;

use parallax_instrument::{symbolic_build, whole_program};
use parallax_program::Opcode;
use place::Place;

#[test]
fn every_way_of_a_branch_is_one_of_the_program_as_compiled() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/programs");
    for name in ["adventure", "matrix", "schema"] {
        check(name, &std::fs::read_to_string(format!("{folder}/{name}/{name}.c")).unwrap());
    }
}

fn check(name: &str, source: &str) {
    let place = Place::new();
    place.write("program.c", source);
    place.sh("$CC program.c -o program");
    let build = parallax_capture::Build::open(&place.path("program")).unwrap();
    let program = whole_program(&build).unwrap().program();
    let symbolic = symbolic_build(&build, &place.path("traced")).unwrap();
    let terminators: std::collections::HashMap<_, _> = program
        .functions
        .iter()
        .flat_map(|function| function.blocks.iter().map(move |block| (function, block)))
        .filter_map(|(function, block)| Some((block.instructions.last()?.site, (function, block))))
        .collect();
    let mut ways = 0;
    for (_, way) in symbolic.places.ways(&symbolic.model) {
        let branch = way.instruction(&symbolic.model).unwrap();
        let (function, block) = terminators[&branch.origin.unwrap()];
        assert_eq!(function.name, way.function_name(&symbolic.model));
        let model = &symbolic.model.at(way.function).blocks[way.block.0 as usize];
        assert_eq!((block.successors.len(), &block.cases), (model.successors.len(), &model.cases));
        assert!(matches!(block.instructions.last().unwrap().opcode, Opcode::Br | Opcode::Switch));
        ways += 1;
    }
    assert!(ways > 30, "only {ways} in {name}");
}

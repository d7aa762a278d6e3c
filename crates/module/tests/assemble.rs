//! Modules put together from bitcode of real compiles, and the model read from them.

#![allow(clippy::unwrap_used, reason = "a test's panic is its report")]

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use parallax_module::{Binding, Image, Module, ModuleError};
use parallax_program::{Opcode, Program};

/// Compiles a C text as `parallax-cc` would and returns the path of the bitcode.
fn bitcode(folder: &Path, name: &str, text: &str) -> PathBuf {
    let source = folder.join(format!("{name}.c"));
    let output = folder.join(format!("{name}.bc"));
    fs::write(&source, text).unwrap();
    let status = Command::new("clang-19")
        .args(["-O1", "-g", "-Xclang", "-disable-llvm-passes", "-c", "-emit-llvm", "-o"])
        .arg(&output)
        .arg(&source)
        .status()
        .unwrap();
    assert!(status.success());
    output
}

fn assemble(images: &[&[(&str, &str)]]) -> Result<Program, ModuleError> {
    assemble_with(images, |_| {})
}

/// Images that export `hook` and `lib`, modified by `adjust`.
fn assemble_with(
    images: &[&[(&str, &str)]],
    adjust: impl Fn(&mut [Image]),
) -> Result<Program, ModuleError> {
    let folder = tempfile::tempdir().unwrap();
    let mut images: Vec<Image> = images
        .iter()
        .map(|image| Image {
            parts: image.iter().map(|(name, text)| bitcode(folder.path(), name, text)).collect(),
            exported: BTreeSet::from([b"hook".to_vec(), b"lib".to_vec()]),
            ..Image::default()
        })
        .collect();
    adjust(&mut images);
    Module::assemble(&images).map(|module| module.program())
}

/// The functions that a function calls.
fn callees<'a>(program: &'a Program, function: &str) -> Vec<&'a str> {
    let blocks = &program.function(function).unwrap().blocks;
    let called = blocks.iter().flat_map(|block| &block.instructions).filter_map(|it| it.callee);
    called.map(|id| program.functions[id.0 as usize].name.as_str()).collect()
}

fn defined<'a>(program: &'a Program, start: &str) -> Vec<&'a str> {
    let names = program.defined().map(|(_, function)| function.name.as_str());
    names.filter(|name| name.starts_with(start)).collect()
}

/// How many times each opcode occurs in a function.
fn count(program: &Program, function: &str, opcode: Opcode) -> usize {
    let blocks = &program.function(function).unwrap().blocks;
    let instructions = blocks.iter().flat_map(|block| &block.instructions);
    instructions.filter(|instruction| instruction.opcode == opcode).count()
}

#[test]
fn static_functions_of_one_name_stay_apart() {
    let program = assemble(&[&[
        ("a", "static int help(void){return 1;} int b(void); int main(void){return help()+b();}"),
        ("b", "static int help(void){return 2;} int b(void){return help();}"),
    ]])
    .unwrap();
    assert_eq!(defined(&program, "help").len(), 2);
    let called = program.instructions().filter_map(|instruction| instruction.callee);
    let mut names: Vec<_> = called.map(|id| &program.functions[id.0 as usize].name).collect();
    names.sort();
    names.dedup();
    assert!(names.len() >= 3, "each caller has its own: {names:?}");
}

#[test]
fn weak_definitions_and_tentative_ones_resolve_as_the_linker_does() {
    let program = assemble(&[&[
        (
            "a",
            "int shared; __attribute__((weak)) int f(void){return 1;} int main(void){return f();}",
        ),
        ("b", "extern int shared; int f(void){return shared * 2;}"),
    ]])
    .unwrap();
    assert_eq!(defined(&program, "f"), ["f"]);
    assert_eq!(count(&program, "f", Opcode::Mul), 1, "the strong definition won");
}

#[test]
fn the_first_image_wins_and_hidden_symbols_stay_in_theirs() {
    let hidden = "__attribute__((visibility(\"hidden\"))) int detail(void)";
    let program = assemble(&[
        &[("main", &format!("int lib(void); int hook(void){{return 7;}} {hidden}{{return 1;}} int main(void){{return lib()+detail();}}"))],
        &[("lib", &format!("int hook(void){{return 8*lib2();}} {hidden}{{return 2;}} int lib2(void){{return 3;}} int lib(void){{return hook()+detail();}}").replace("int hook", "int lib2(void); int hook"))],
    ])
    .unwrap();
    assert_eq!(defined(&program, "hook"), ["hook"]);
    assert_eq!(count(&program, "hook", Opcode::Mul), 0, "the executable's definition won");
    assert_eq!(defined(&program, "detail").len(), 2);
}

const PROGRAM: &str = "int lib(void); int hook(void){return 7;} int main(void){return lib();}";
const LIBRARY: &str = "int hook(void){return 8;} int lib(void){return hook();}";

#[test]
fn a_library_calls_what_it_is_bound_to() {
    let called = |binding| {
        let images: [&[(&str, &str)]; 2] = [&[("main", PROGRAM)], &[("lib", LIBRARY)]];
        let program = assemble_with(&images, |images| images[1].binding = binding).unwrap();
        callees(&program, "lib").join(" ")
    };
    assert_eq!(called(Binding::Interposable), "hook");
    assert_ne!(called(Binding::Own), "hook", "its own, which has another name now");
    assert_eq!(called(Binding::Own), called(Binding::OwnFunctions));
}

#[test]
fn a_weak_definition_that_comes_first_wins_and_a_hidden_one_does_not() {
    let weak = PROGRAM.replace("int hook", "__attribute__((weak)) int hook");
    let images: [&[(&str, &str)]; 2] = [&[("main", &weak)], &[("lib", LIBRARY)]];
    let program = assemble(&images).unwrap();
    assert_eq!(defined(&program, "hook"), ["hook"]);
    let program = assemble_with(&images, |images| images[0].exported.clear()).unwrap();
    assert_eq!(defined(&program, "hook").len(), 2);
    assert_eq!(callees(&program, "lib"), ["hook"]);
}

#[test]
fn symbols_that_assembler_refers_to_keep_their_name() {
    let text = "int detail(void){return 1;} int lib(void){return detail();}";
    let images: [&[(&str, &str)]; 2] = [&[("main", PROGRAM)], &[("lib", text)]];
    assert!(!assemble(&images).unwrap().function("detail").unwrap().external);
    let program = assemble_with(&images, |images| {
        images[1].referenced.insert(b"detail".to_vec());
    });
    assert!(program.unwrap().function("detail").unwrap().external);
}

#[test]
fn wrapped_symbols_mean_the_wrapper_outside_the_unit_that_defines_them() {
    let images: [&[(&str, &str)]; 1] = [&[
        ("main", "int f(void); int main(void){return f();}"),
        ("f", "int f(void){return 1;} int direct(void){return f();}"),
        ("w", "int __real_f(void); int __wrap_f(void){return __real_f() + 1;}"),
    ]];
    let program = assemble_with(&images, |images| images[0].wrapped = vec![b"f".to_vec()]).unwrap();
    assert_eq!(callees(&program, "main"), ["__wrap_f"]);
    assert_eq!(callees(&program, "__wrap_f"), ["f"]);
    assert_eq!(callees(&program, "direct"), ["f"]);
}

#[test]
fn the_model_knows_lines_successors_and_ids() {
    let text = "int f(int x)\n{\n  if (x > 3)\n    return 1;\n  switch (x) { case 0: case 1: return 5; default: return 2; }\n}\nint main(void){return f(2);}\n";
    let program = assemble(&[&[("a", text)]]).unwrap();
    let function = program.function("f").unwrap();
    let location = function.location.unwrap();
    assert_eq!(location.line, 1);
    assert!(program.describe(location).to_string().ends_with("a.c:1:0"));
    let compare = function.blocks.iter().flat_map(|block| &block.instructions);
    let compare = compare.filter(|instruction| instruction.opcode == Opcode::ICmp);
    assert_eq!(
        compare.map(|instruction| instruction.location.unwrap().line).collect::<Vec<_>>(),
        [3]
    );
    let fans: Vec<_> = function.blocks.iter().map(|block| block.successors.len()).collect();
    assert!(fans.contains(&2) && fans.contains(&3), "a branch and a switch: {fans:?}");
    let sites: Vec<_> = program.instructions().map(|instruction| instruction.site.0).collect();
    assert_eq!(sites, (0..sites.len() as u32).collect::<Vec<_>>());
}

#[test]
fn a_file_that_is_no_bitcode_is_an_error_that_names_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.bc");
    fs::write(&path, "not bitcode").unwrap();
    let image = Image { parts: vec![path.clone()], ..Image::default() };
    let error = Module::assemble(&[image]).err().unwrap().to_string();
    assert!(error.contains(&path.display().to_string()), "{error}");
    assert!(matches!(Module::assemble(&[]), Err(ModuleError::Empty)));
}

#[test]
fn the_words_of_a_program_are_those_in_its_tables_and_its_code() {
    let text = r#"
        #include <string.h>
        static const struct { const char *name; char key[8]; } table[] = {{"let", "one"}, {"a\"b", "two"}};
        int main(int argc, char **argv) {
            if (!memcmp(argv[1], "alpha", 5)) return 1;
            return strcmp(argv[0], table[argc].name) || strcmp(argv[0], table[argc].key)
                || !strcmp(argv[0], "this is a message");
        }
    "#;
    let program = assemble(&[&[("words", text)]]).unwrap();
    let words = program.words();
    for word in ["let", "a\"b", "one", "two", "alpha"] {
        assert!(words.contains(&word.as_bytes().to_vec()), "{word} in {words:?}");
    }
    assert!(!words.iter().any(|word| word.starts_with(b"this")), "{words:?}");
}

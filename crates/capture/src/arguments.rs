//! A compiler's command line, parsed as far as capturing needs it.
//!
//! Only the roles matter: the inputs and their languages, the output, the last stage that the
//! compiler is asked for, and the words that concern dependencies, linking or the form of the
//! output, because those must not reach the second compile. Everything unknown is an option and is
//! passed on. The table of options that take their value as a separate word is therefore the one
//! thing that has to be complete: a value mistaken for an input would be compiled.

use std::{
    ffi::{OsStr, OsString},
    os::unix::ffi::{OsStrExt, OsStringExt},
    path::{Path, PathBuf},
};

/// The last stage that the compiler is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stage {
    /// `-E`, `-M`, `-fsyntax-only`, `--version`: the output cannot be linked.
    Inspect,
    /// `-S`.
    Assembly,
    /// `-c`.
    Object,
    /// The link.
    Link,
}

/// The kind of an input file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Language {
    /// A source that has bitcode: the word is its name for `-x`.
    Source(&'static str),
    /// Assembler, with or without preprocessing.
    Assembler(&'static str),
    /// An object, an archive, a library, a linker script.
    Linkable,
    /// A header to precompile, or a language that is left to clang alone.
    Other,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    Input(Language),
    Output,
    Stage,
    Dependencies,
    Linking,
    InputLanguage,
    /// Says what form the object has or what is written beside it (`-g`, `-flto`, `-save-temps`).
    Form,
    Option,
}

#[derive(Clone, Debug)]
struct Argument {
    role: Role,
    words: Vec<OsString>,
}

/// A command line, by roles.
#[derive(Clone, Debug)]
pub(crate) struct Arguments {
    pub(crate) stage: Stage,
    pub(crate) output: Option<PathBuf>,
    arguments: Vec<Argument>,
}

/// An input that is compiled or assembled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Input {
    pub(crate) path: PathBuf,
    pub(crate) language: Language,
}

impl Input {
    /// Whether the source is read from standard input.
    pub(crate) fn is_stdin(&self) -> bool {
        self.path.as_os_str() == "-"
    }

    /// The object or assembler file that the compiler makes of it if it is not told a name.
    pub(crate) fn default_output(&self, extension: &str) -> PathBuf {
        Path::new(self.path.file_name().unwrap_or(OsStr::new("-"))).with_extension(extension)
    }
}

impl Arguments {
    /// Parses a command line (without the compiler's name, response files expanded).
    ///
    /// To a compiler of C++ (`cxx`) a file `a.c` is C++ as well.
    pub(crate) fn parse(words: &[OsString], cxx: bool) -> Arguments {
        let mut parsed = Arguments { stage: Stage::Link, output: None, arguments: Vec::new() };
        let mut language = None;
        let mut words = words.iter();
        while let Some(word) = words.next() {
            if word == "--" {
                words.by_ref().for_each(|input| parsed.push_input(input, language.as_deref(), cxx));
                break;
            }
            let mut group = vec![word.clone()];
            if takes_separate_value(word.as_bytes()) {
                group.extend(words.next().cloned());
            }
            parsed.push(group, &mut language, cxx);
        }
        parsed
    }

    fn push(&mut self, words: Vec<OsString>, language: &mut Option<OsString>, cxx: bool) {
        let word = words[0].as_bytes();
        let role = role_of(word, language.as_deref(), cxx);
        match role {
            Role::Stage => self.stage = narrower(self.stage, stage_of(word)),
            Role::Output => self.output = option_value(&words).map(PathBuf::from),
            Role::InputLanguage => *language = option_value(&words).filter(|named| named != "none"),
            _ => {}
        }
        self.arguments.push(Argument { role, words });
    }

    fn push_input(&mut self, word: &OsString, language: Option<&OsStr>, cxx: bool) {
        let role = Role::Input(language_of(word.as_bytes(), language, cxx));
        self.arguments.push(Argument { role, words: vec![word.clone()] });
    }

    /// The objects, archives and libraries that are linked, as they were named.
    pub(crate) fn linkables(&self) -> Vec<OsString> {
        let is_linkable = |role| matches!(role, Role::Input(Language::Linkable));
        self.words_where(|role| is_linkable(role) || role == Role::Linking)
    }

    /// The inputs that are compiled or assembled, in order.
    pub(crate) fn sources(&self) -> Vec<Input> {
        self.inputs().filter(|input| input.language != Language::Linkable).collect()
    }

    /// Whether there is anything to compile, assemble or link.
    pub(crate) fn has_inputs(&self) -> bool {
        self.inputs().next().is_some()
    }

    fn inputs(&self) -> impl Iterator<Item = Input> {
        self.arguments.iter().filter_map(|argument| match argument.role {
            Role::Input(language) => {
                Some(Input { path: PathBuf::from(&argument.words[0]), language })
            }
            _ => None,
        })
    }

    /// The words that say how a source is compiled, and nothing else.
    pub(crate) fn compile_words(&self) -> Vec<OsString> {
        self.words_where(|role| role == Role::Option)
    }

    /// Options that put code into the object that is not in the bitcode: checks and counters.
    pub(crate) fn words_that_add_code(&self) -> Vec<OsString> {
        const STARTS: [&[u8]; 5] = [
            b"-fsanitize=",
            b"-fsanitize-coverage=",
            b"-fprofile-generate",
            b"-fprofile-instr-generate",
            b"-fcs-profile-generate",
        ];
        let adds = |word: &OsString| STARTS.iter().any(|start| word.as_bytes().starts_with(start));
        self.words_where(|role| role == Role::Form).into_iter().filter(adds).collect()
    }

    /// The words of a link, without the sources: options, objects, libraries, in their order.
    pub(crate) fn link_words(&self) -> Vec<OsString> {
        self.words_where(|role| {
            matches!(role, Role::Option | Role::Linking | Role::Input(Language::Linkable))
        })
    }

    fn words_where(&self, wanted: impl Fn(Role) -> bool) -> Vec<OsString> {
        let chosen = self.arguments.iter().filter(|argument| wanted(argument.role));
        chosen.flat_map(|argument| argument.words.iter().cloned()).collect()
    }
}

fn narrower(current: Stage, asked: Stage) -> Stage {
    let rank = |stage| match stage {
        Stage::Inspect => 0,
        Stage::Assembly => 1,
        Stage::Object => 2,
        Stage::Link => 3,
    };
    if rank(asked) < rank(current) { asked } else { current }
}

/// The value of an option: the next word, or joined to its name (`-oprog`, `--output=prog`).
fn option_value(words: &[OsString]) -> Option<OsString> {
    match words {
        [_, value] => Some(value.clone()),
        [joined] => {
            let joined = joined.as_bytes();
            let name_length = match joined.starts_with(b"--") {
                true => joined.iter().position(|&byte| byte == b'=')? + 1,
                false => 2,
            };
            let value = joined.get(name_length..)?;
            (!value.is_empty()).then(|| OsStr::from_bytes(value).to_os_string())
        }
        _ => None,
    }
}

fn stage_of(word: &[u8]) -> Stage {
    match word {
        b"-c" | b"--compile" => Stage::Object,
        b"-S" | b"--assemble" => Stage::Assembly,
        _ => Stage::Inspect,
    }
}

fn role_of(word: &[u8], language: Option<&OsStr>, cxx: bool) -> Role {
    if word == b"-" || !word.starts_with(b"-") {
        return Role::Input(language_of(word, language, cxx));
    }
    let starts = |prefixes: &[&str]| prefixes.iter().any(|p| word.starts_with(p.as_bytes()));
    match word {
        b"-c" | b"-S" | b"-E" | b"-M" | b"-MM" | b"-fsyntax-only" | b"-###" | b"--version"
        | b"--help" | b"-emit-llvm" | b"--compile" | b"--assemble" | b"--preprocess"
        | b"--analyze" | b"--precompile" | b"-emit-ast" | b"-rewrite-objc" => Role::Stage,
        b"-x" => Role::InputLanguage,
        b"-shared" | b"-static" | b"-pie" | b"-no-pie" | b"-static-pie" | b"-rdynamic" | b"-s"
        | b"-r" | b"-nostdlib" | b"-nodefaultlibs" | b"-nostartfiles" | b"-nolibc"
        | b"-static-libgcc" | b"-shared-libgcc" | b"-static-libstdc++" | b"-Xlinker" | b"-T"
        | b"-u" | b"-e" | b"-z" | b"-h" | b"-rpath" | b"-framework" | b"--shared" | b"--static" => {
            Role::Linking
        }
        b"-save-temps"
        | b"-gsplit-dwarf"
        | b"-ftime-trace"
        | b"--coverage"
        | b"-pg"
        | b"-p"
        | b"-ftest-coverage"
        | b"-fprofile-arcs"
        | b"-fcoverage-mapping"
        | b"-ffat-lto-objects"
        | b"--serialize-diagnostics"
        | b"-dumpdir"
        | b"-dumpbase"
        | b"-dumpbase-ext"
        | b"-aux-info"
        | b"-fno-lto" => Role::Form,
        b"--output" => Role::Output,
        b"--language" => Role::InputLanguage,
        _ if word.starts_with(b"--output=") => Role::Output,
        _ if word.starts_with(b"--language=") => Role::InputLanguage,
        _ if word.starts_with(b"-o") && !starts(&["-object", "-objc"]) => Role::Output,
        _ if word.starts_with(b"-x") => Role::InputLanguage,
        _ if starts(&["-print-", "--print-", "-dumpversion", "-dumpmachine"]) => Role::Stage,
        _ if starts(&[
            "-MD", "-MMD", "-MF", "-MT", "-MQ", "-MG", "-MP", "-MJ", "-MV", "-Wp,-M",
        ]) =>
        {
            Role::Dependencies
        }
        _ if starts(&[
            "-l",
            "-L",
            "-Wl,",
            "-fuse-ld",
            "--ld-path",
            "-Ttext",
            "-Tdata",
            "-Tbss",
        ]) =>
        {
            Role::Linking
        }
        _ if starts(&[
            "-g",
            "-flto",
            "-fsanitize",
            "-fno-sanitize",
            "-save-temps=",
            "--save-temps",
        ]) || starts(&["-fprofile-generate", "-fprofile-instr-generate", "-fstack-usage"])
            || starts(&[
                "-fsave-optimization-record",
                "-ftime-trace=",
                "-fcs-profile-generate",
            ])
            || starts(&["-foptimization-record", "-fdump-", "-dump", "-fproc-stat-report"]) =>
        {
            Role::Form
        }
        _ => Role::Option,
    }
}

/// Options whose value may follow as a word of its own (from the option tables of clang and gcc).
const SEPARATE: &[&str] = &[
    "-o",
    "-x",
    "-I",
    "-D",
    "-U",
    "-L",
    "-l",
    "-F",
    "-B",
    "-A",
    "-T",
    "-u",
    "-e",
    "-z",
    "-h",
    "-R",
    "-G",
    "-b",
    "-V",
    "-J",
    "-include",
    "-imacros",
    "-isystem",
    "-isystem-after",
    "-iquote",
    "-idirafter",
    "-iprefix",
    "-iwithprefix",
    "-iwithprefixbefore",
    "-iwithsysroot",
    "-isysroot",
    "-imultilib",
    "-include-pch",
    "-ivfsoverlay",
    "-cxx-isystem",
    "-MF",
    "-MT",
    "-MQ",
    "-MJ",
    "-Xlinker",
    "-Xassembler",
    "-Xpreprocessor",
    "-Xclang",
    "-Xanalyzer",
    "-Xopenmp-target",
    "-arch",
    "-target",
    "--target",
    "-framework",
    "-mllvm",
    "-wrapper",
    "-specs",
    "--specs",
    "-rpath",
    "-rpath-link",
    "-soname",
    "-dumpdir",
    "-dumpbase",
    "-dumpbase-ext",
    "-aux-info",
    "--param",
    "--sysroot",
    "--serialize-diagnostics",
    "-working-directory",
    "-gen-cdb-fragment-path",
    "--config",
    "-fplugin-arg",
    "-install_name",
    "--include-directory",
    "--define-macro",
    "--output",
    "--language",
    "--include",
    "--imacros",
    "--include-directory-after",
    "--include-prefix",
    "--include-with-prefix",
    "--include-with-prefix-after",
    "--include-with-prefix-before",
    "--undefine-macro",
    "--assert",
    "--library-directory",
    "--prefix",
    "--for-linker",
    "--force-link",
    "-meabi",
    "-mthread-model",
    "-mabi",
    "-dynamic-linker",
    "--dynamic-linker",
    "-dependency-file",
    "-serialize-diagnostics",
];

/// Whether the value of an option may follow as a word of its own.
fn takes_separate_value(word: &[u8]) -> bool {
    SEPARATE.iter().any(|name| name.as_bytes() == word)
}

fn language_of(word: &[u8], named: Option<&OsStr>, cxx: bool) -> Language {
    match named {
        Some(named) => language_named(named.as_bytes()),
        None => match language_by_extension(word) {
            Language::Source("c") if cxx => Language::Source("c++"),
            Language::Source("cpp-output") if cxx => Language::Source("c++-cpp-output"),
            other => other,
        },
    }
}

fn language_named(name: &[u8]) -> Language {
    match name {
        b"c" => Language::Source("c"),
        b"c++" => Language::Source("c++"),
        b"cpp-output" => Language::Source("cpp-output"),
        b"c++-cpp-output" => Language::Source("c++-cpp-output"),
        b"objective-c" => Language::Source("objective-c"),
        b"ir" => Language::Source("ir"),
        b"assembler" => Language::Assembler("assembler"),
        b"assembler-with-cpp" => Language::Assembler("assembler-with-cpp"),
        _ => Language::Other,
    }
}

fn language_by_extension(word: &[u8]) -> Language {
    let extension = Path::new(OsStr::from_bytes(word)).extension().unwrap_or_default();
    match extension.as_bytes() {
        b"c" => Language::Source("c"),
        b"i" => Language::Source("cpp-output"),
        b"cc" | b"cpp" | b"cxx" | b"C" | b"c++" | b"cp" | b"CPP" | b"CC" => Language::Source("c++"),
        b"ii" => Language::Source("c++-cpp-output"),
        b"m" => Language::Source("objective-c"),
        b"ll" | b"bc" => Language::Source("ir"),
        b"s" => Language::Assembler("assembler"),
        b"S" | b"sx" | b"asm" => Language::Assembler("assembler-with-cpp"),
        b"h" | b"hh" | b"hpp" | b"H" | b"hxx" | b"mm" | b"f" | b"F" | b"f90" | b"cu" => {
            Language::Other
        }
        _ => Language::Linkable,
    }
}

/// Replaces `@file` by the words of that file, as gcc and clang do; a file that cannot be read
/// stands for itself.
pub(crate) fn expand_response_files(words: &[OsString]) -> Vec<OsString> {
    let mut expanded = Vec::new();
    for word in words {
        expand_into(word, 0, &mut expanded);
    }
    expanded
}

fn expand_into(word: &OsString, depth: usize, expanded: &mut Vec<OsString>) {
    const DEEPEST: usize = 32;
    let text = match word.as_bytes().strip_prefix(b"@") {
        Some(name) if depth < DEEPEST => std::fs::read(OsStr::from_bytes(name)).ok(),
        _ => None,
    };
    match text {
        Some(text) => {
            for inner in split_words(&text) {
                expand_into(&inner, depth + 1, expanded);
            }
        }
        None => expanded.push(word.clone()),
    }
}

/// Splits a response file: white space separates, quotes hold together, a backslash takes the next
/// byte as it is.
fn split_words(text: &[u8]) -> Vec<OsString> {
    let mut words = Vec::new();
    let mut word: Option<Vec<u8>> = None;
    let mut quote = None;
    let mut bytes = text.iter().copied();
    while let Some(byte) = bytes.next() {
        match (byte, quote) {
            (b'\\', _) => word.get_or_insert_default().extend(bytes.next()),
            (b'"' | b'\'', None) => {
                quote = Some(byte);
                word.get_or_insert_default();
            }
            (_, Some(open)) if byte == open => quote = None,
            (_, None) if byte.is_ascii_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(byte),
        }
    }
    words.extend(word);
    words.into_iter().map(OsString::from_vec).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Arguments {
        Arguments::parse(&split_words(line.as_bytes()), false)
    }

    fn joined(words: Vec<OsString>) -> String {
        words.join(OsStr::new(" ")).into_string().unwrap()
    }

    #[track_caller]
    fn check(line: &str, stage: Stage, sources: &[&str], compile: &str, link: &str) {
        let arguments = parse(line);
        assert_eq!(arguments.stage, stage, "stage of {line}");
        let found: Vec<_> = arguments.sources().into_iter().map(|input| input.path).collect();
        assert_eq!(
            found,
            sources.iter().map(PathBuf::from).collect::<Vec<_>>(),
            "inputs of {line}"
        );
        assert_eq!(joined(arguments.compile_words()), compile, "compiling of {line}");
        assert_eq!(joined(arguments.link_words()), link, "linking of {line}");
    }

    #[test]
    fn options_that_add_code_are_told_from_others() {
        let added = |line: &str| joined(parse(line).words_that_add_code());
        assert_eq!(added("-g -O2 -flto -c a.c"), "");
        assert_eq!(
            added("-fsanitize=address,undefined -fno-sanitize=null -fprofile-generate -c a.c"),
            "-fsanitize=address,undefined -fprofile-generate"
        );
    }

    #[test]
    fn command_lines_of_real_builds_fall_into_roles() {
        use Stage::*;
        check("-O2 -g -c a.c -o a.o", Object, &["a.c"], "-O2", "-O2");
        check(
            "-DX=1 -I inc -MD -MP -MF .deps/a.Tpo -c -o a.o a.c",
            Object,
            &["a.c"],
            "-DX=1 -I inc",
            "-DX=1 -I inc",
        );
        check("a.c b.c -lm -o prog", Link, &["a.c", "b.c"], "", "-lm");
        check(
            "-o prog a.o libx.a -Wl,--gc-sections -L. -lx",
            Link,
            &[],
            "",
            "a.o libx.a -Wl,--gc-sections -L. -lx",
        );
        check("-E -x c -", Inspect, &["-"], "", "");
        check("-S -O1 a.c", Assembly, &["a.c"], "-O1", "-O1");
        check("-c start.S crt.s", Object, &["start.S", "crt.s"], "", "");
        check("-MM a.c", Inspect, &["a.c"], "", "");
        check("-Wp,-MMD,a.d -c a.c", Object, &["a.c"], "", "");
        check(
            "-include config.h -c 'dir with space/a.c'",
            Object,
            &["dir with space/a.c"],
            "-include config.h",
            "-include config.h",
        );
        check("--version", Inspect, &[], "", "");
        check(
            "-shared -fPIC -Wl,-soname -Wl,libx.so.1 x.o -o libx.so",
            Link,
            &[],
            "-fPIC",
            "-shared -fPIC -Wl,-soname -Wl,libx.so.1 x.o",
        );
        check(
            "--output=x.o --include z.h -c b.c",
            Object,
            &["b.c"],
            "--include z.h",
            "--include z.h",
        );
        check("-c -o x.o -- b.c", Object, &["b.c"], "", "");
        check("-flto -fsanitize=address -save-temps -c a.c", Object, &["a.c"], "", "");
    }

    #[test]
    fn x_names_the_language_until_none() {
        let inputs = parse("-x assembler-with-cpp a -xc b -x none c.c d.o").sources();
        let languages: Vec<_> = inputs.iter().map(|input| input.language).collect();
        assert_eq!(
            languages,
            [
                Language::Assembler("assembler-with-cpp"),
                Language::Source("c"),
                Language::Source("c")
            ]
        );
    }

    #[test]
    fn a_c_file_is_cxx_to_a_compiler_of_cxx() {
        let words = split_words(b"a.c -x c b.c");
        let inputs = Arguments::parse(&words, true).sources();
        assert_eq!(inputs[0].language, Language::Source("c++"));
        assert_eq!(inputs[1].language, Language::Source("c"));
    }

    #[test]
    fn the_output_may_be_joined_to_its_option() {
        assert_eq!(parse("-c a.c -oout.o").output, Some("out.o".into()));
        assert_eq!(parse("-c a.c --output=out.o").output, Some("out.o".into()));
        assert_eq!(parse("-c a.c --output out.o").output, Some("out.o".into()));
        assert_eq!(parse("-c a.c").output, None);
    }

    #[test]
    fn response_files_are_read_with_their_quotes() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("args");
        std::fs::write(&file, "-c \"a b.c\"\n'-DX=\"y\"' back\\ slash ''").unwrap();
        let words =
            expand_response_files(&[format!("@{}", file.display()).into(), "@missing".into()]);
        assert_eq!(words, ["-c", "a b.c", "-DX=\"y\"", "back slash", "", "@missing"]);
    }
}

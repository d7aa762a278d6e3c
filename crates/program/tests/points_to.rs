//! Points-to sets: small programs with hand-derived answers, and generated ones that print, when
//! they run, the target of each pointer.

#![allow(clippy::unwrap_used, reason = "a test's panic is its report")]

use std::{
    collections::{BTreeSet, HashMap},
    fmt::Write,
    fs,
    path::Path,
    process::Command,
    time::{Duration, Instant},
};

use parallax_module::{Image, Module};
use parallax_program::{
    CellId, Detail, FunctionId, GlobalId, Instruction, Object, Opcode, Operand, PointsTo, Program,
    SiteId,
};

/// A program, analysed.
struct Case {
    program: Program,
    points: PointsTo,
}

impl Case {
    fn new(text: &str) -> Case {
        let folder = tempfile::tempdir().unwrap();
        let source = folder.path().join("a.c");
        fs::write(&source, text).unwrap();
        let output = folder.path().join("a.bc");
        let flags =
            ["-w", "-O1", "-g", "-Xclang", "-disable-llvm-passes", "-c", "-emit-llvm", "-o"];
        compile(&flags, &output, &source);
        let image = Image { parts: vec![output], ..Image::default() };
        let program = Module::assemble(&[image]).unwrap().program();
        let points = PointsTo::analyse(&program);
        Case { program, points }
    }

    fn instructions(&self) -> impl Iterator<Item = (FunctionId, &Instruction)> {
        self.program.defined().flat_map(|(id, function)| {
            let instructions = function.blocks.iter().flat_map(|block| &block.instructions);
            instructions.map(move |instruction| (id, instruction))
        })
    }

    /// The name of an object in a test.
    fn name(&self, object: Object) -> String {
        let at = |site: SiteId| self.instructions().map(|(_, it)| it).find(|it| it.site == site);
        match object {
            Object::Global(id) => self.program.globals[id.0 as usize].name.clone(),
            Object::Function(id) => self.program.functions[id.0 as usize].name.clone(),
            Object::Local(site) => match &at(site).unwrap().detail {
                Detail::Local { name: Some(name), .. } => name.clone(),
                _ => "?".to_owned(),
            },
            Object::Heap(site) => {
                format!("heap@{}", at(site).unwrap().location.map_or(0, |location| location.line))
            }
            Object::Variadic(_) => "variadic".to_owned(),
            Object::Library(_) => "library".to_owned(),
            Object::Arguments => "arguments".to_owned(),
            Object::Outside => "outside".to_owned(),
            Object::Pool(_) => "pool".to_owned(),
        }
    }

    fn names(&self, function: FunctionId, pointer: Operand) -> BTreeSet<String> {
        let targets = self.points.targets(function, pointer).into_iter();
        targets.map(|cell| self.name(self.points.cell(cell).object)).collect()
    }

    /// The targets of the last argument of each call of `see` on each line: `3: a b`.
    fn seen(&self) -> String {
        let calls = self.instructions().filter(|(_, it)| {
            it.callee.is_some_and(|callee| self.program.at(callee).name == "see")
        });
        let lines = calls.map(|(function, call)| {
            let names: Vec<_> = self.names(function, call.operands[0]).into_iter().collect();
            format!("{}: {}", call.location.unwrap().line, names.join(" ")).trim().to_owned()
        });
        lines.collect::<Vec<_>>().join("\n")
    }

    fn function_names(&self, functions: &[FunctionId]) -> Vec<&str> {
        functions.iter().map(|id| self.program.at(*id).name.as_str()).collect()
    }

    /// The callees of the indirect calls, in the order of the code.
    fn indirect(&self) -> Vec<Vec<&str>> {
        let calls = self.instructions().map(|(_, it)| it);
        let calls = calls.filter(|it| it.opcode == Opcode::Call && it.callee.is_none());
        calls.map(|call| self.function_names(self.points.callees(call.site))).collect()
    }
}

fn compile(flags: &[&str], output: &Path, source: &Path) {
    let status = Command::new("clang-19").args(flags).arg(output).arg(source).status().unwrap();
    assert!(status.success());
}

const START: &str = "#include <stdlib.h>
#include <string.h>
#include <stdarg.h>
#include <stdint.h>
void see(const void *pointer) {}
";

/// Lines are counted from the one after the start.
fn check(text: &str, expected: &[(u32, &str)]) {
    let case = Case::new(&format!("{START}#line 1\n{text}"));
    let expected: Vec<String> =
        expected.iter().map(|(line, names)| format!("{line}: {names}").trim().to_owned()).collect();
    assert_eq!(case.seen(), expected.join("\n"), "{text}");
}

#[test]
fn addresses_flow_through_variables_and_memory() {
    check(
        "int a, b;
         void swap(int **x, int **y) { int *t = *x; *x = *y; *y = t; }
         int main(void) { int *p = &a, *q = &b; swap(&p, &q);
           see(p); }",
        &[(4, "a b")],
    );
}

#[test]
fn private_variables_are_followed_in_order() {
    check(
        "int a, b;
         int main(int c, char **v) { int *p = &a;
           see(p);
           p = &b;
           see(p);
           if (c) p = &a;
           see(p);
           int *never;
           see(never);
           while (c--) { see(p);
             p = &c; } }",
        &[(3, "a"), (5, "b"), (7, "a b"), (9, ""), (10, "a b c")],
    );
}

#[test]
fn fields_are_kept_apart() {
    check(
        "struct in { int *x, *y; }; struct s { int *p; struct in in; } one, many[8]; int a, b, c;
         int main(int n, char **v) {
           one.p = &a; one.in.x = &b; one.in.y = &c;
           see(one.p);
           see(one.in.y);
           many[n].p = &a; many[2].in.x = &b;
           see(many[n + 1].p);
           see(many[n].in.x);
           see(many[3].in.x);
           struct s copy = one;
           see(copy.in.x);
           struct s *h = malloc(sizeof *h); memcpy(h, &one, sizeof *h);
           see(h->in.y);
         }",
        &[(4, "a"), (5, "c"), (7, "a"), (8, "b"), (9, ""), (11, "b"), (13, "c")],
    );
}

#[test]
fn a_member_of_a_union_is_the_other() {
    check(
        "union u { int *p; void *q; long l; } u; int a;
         int main(void) { u.p = &a;
           see(u.q);
           see((void *) u.l);
           uintptr_t n = (uintptr_t) &a; n |= 1;
           see((void *) (n & ~1ul)); }",
        &[(3, "a"), (4, "a"), (6, "a")],
    );
}

#[test]
fn heap_objects_are_named_by_their_call() {
    check(
        "struct node { struct node *next; int *value; }; int a;
         static void *checked(void *p) { if (!p) abort(); return p; }
         static void *xmalloc(size_t n) { return checked(malloc(n)); }
         int main(int c, char **v) { struct node *list = 0;
           while (c--) {
             struct node *n = xmalloc(sizeof *n);
             n->next = list; n->value = &a; list = n; }
           struct node *other = xmalloc(sizeof *other);
           see(list->next->value);
           see(list->next);
           see(other);
           see(other->next);
           other = realloc(list, 99);
           see(other);
           see(other->value);
           char *s = strdup(v[0]);
           see(strchr(s, 'x'));
           see(v[1]); }",
        &[
            (9, "a"),
            (10, "heap@6"),
            (11, "heap@8"),
            (12, ""),
            (14, "heap@13"),
            (15, "a"),
            (17, "heap@16"),
            (18, "arguments"),
        ],
    );
}

#[test]
fn pointers_that_walk_stay_in_their_object() {
    check(
        "int *table[4], a, b; char text[9];
         int *initial[] = { &a, 0, &b };
         int main(int c, char **v) { table[1] = &a;
           int **p = table; while (c--) p++;
           see(p);
           see(*p);
           char *t = text; while (*t) t += 1;
           see(t);
           see(initial[c]);
           see(initial[2]);
           char *end; strtol(text, &end, 10);
           see(end); }",
        &[(5, "table"), (6, "a"), (8, "text"), (9, "a b"), (10, "b"), (12, "text")],
    );
}

#[test]
fn variadic_arguments_and_recursion_pass_pointers_on() {
    check(
        "int a, b;
         void *pick(int n, ...) { va_list l; va_start(l, n); void *p = va_arg(l, void *); va_end(l); return p; }
         int *deep(int n, int *p) { int local; return n ? deep(n - 1, n > 5 ? &local : p) : p; }
         int main(void) {
           see(pick(1, &a));
           see(deep(3, &b)); }",
        &[(5, "a"), (6, "b local")],
    );
}

#[test]
fn calls_through_pointers_call_what_they_point_to_and_what_fits() {
    let case = Case::new(
        "#include <stdlib.h>
         int one(int x) { return x; } int two(int x) { return x + 1; } int other(int x, int y) { return y; }
         double real(double x) { return x; }
         struct op { const char *name; int (*run)(int); };
         struct op ops[] = { { \"one\", one }, { \"two\", two } };
         int less(const void *x, const void *y) { return *(int *) x - *(int *) y; }
         void bye(void) {}
         int main(int c, char **v) { int all[3] = { 0 };
           qsort(all, 3, sizeof *all, less); atexit(bye);
           void *any[] = { one, other, real };
           return ops[c].run(c) + ((int (*)(int)) any[c])(c); }",
    );
    assert_eq!(case.indirect(), [vec!["one", "two"], vec!["one"]]);
    let handed: Vec<_> = case
        .instructions()
        .flat_map(|(_, it)| case.function_names(case.points.callbacks(it.site)))
        .collect();
    assert_eq!(handed, ["less", "bye"]);
    let (function, parameter) = (case.program.functions.iter(), Operand::Parameter(0));
    let less = FunctionId(function.clone().position(|it| it.name == "less").unwrap() as u32);
    assert_eq!(case.names(less, parameter), BTreeSet::from(["all".to_owned()]));
}

#[test]
fn what_unknown_code_is_given_it_may_keep_and_give_back() {
    let case = Case::new(&format!(
        "{START}#line 1\n
         struct s {{ int *p; void (*f)(int *); }} s; int a, hidden; void *exchange(void *);
         void called(int *p) {{
           see(p); }}
         int main(void) {{ s.p = &a; s.f = called; struct s *t = exchange(&s);
           see(t->p);
           see(&hidden); }}"
    ));
    let seen = case.seen();
    let lines: Vec<_> = seen.lines().collect();
    for line in &lines[..2] {
        for name in [" a", " outside", " s"] {
            assert!(line.contains(name), "{line}");
        }
        assert!(!line.contains("hidden"), "{line}");
    }
    assert_eq!(lines[2], "7: hidden");
}

#[test]
fn of_accesses_that_overlap_one_touches_what_the_other_points_to() {
    let case = Case::new(
        "struct s { long x; char y[8]; } s, t; int main(int c, char **v) { s.x = 1; s.y[c] = 2; t.x = 3;
           return *((char *) &s + 3) + s.y[2]; }",
    );
    let accesses: Vec<_> = case
        .instructions()
        .filter_map(|(function, it)| {
            let Detail::Access { size, .. } = it.detail else { return None };
            let pointer = *it.operands.last()?;
            let named = case.names(function, pointer);
            let is_global = named.contains("s") || named.contains("t");
            let targets = case.points.targets(function, pointer);
            is_global.then(|| (targets, case.points.touched(function, pointer, Some(size))))
        })
        .collect();
    let [x, y, t, third, second] = &accesses[..] else { panic!("{accesses:?}") };
    let reaches = |targets: &[_], touched: &[_]| targets.iter().any(|cell| touched.contains(cell));
    let meet = |one: &(Vec<_>, Vec<_>), other: &(Vec<_>, Vec<_>)| {
        reaches(&one.0, &other.1) || reaches(&other.0, &one.1)
    };
    assert!(meet(x, third) && meet(y, second), "{accesses:?}");
    assert!(!meet(x, y) && !meet(x, t) && !meet(x, second), "{accesses:?}");
}

#[test]
fn private_means_loaded_and_stored_by_name() {
    let case =
        Case::new("void f(int *); int main(void) { int a = 1, b = 2; f(&b); return a + b; }");
    let locals = case.instructions().filter_map(|(_, it)| match &it.detail {
        Detail::Local { name: Some(name), .. } => {
            Some((name.as_str(), case.points.is_private(it.site)))
        }
        _ => None,
    });
    assert_eq!(locals.collect::<Vec<_>>(), [("a", true), ("b", false)]);
}

/// Deterministic pseudo-random numbers.
struct Dice(u64);

impl Dice {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) % limit
    }
}

/// A program of pointer operations that prints the target of a pointer at each check.
fn generated(seed: u64) -> String {
    let mut dice = Dice(seed);
    let mut body = String::new();
    for step in 0..60 {
        let (a, b, f, g) = (dice.below(4), dice.below(4), dice.below(3), dice.below(3));
        let statement = match dice.below(14) {
            0 => format!("p{a} = &o{b};"),
            1 => format!("p{a} = p{b};"),
            2 => format!("p{a}->f{f} = p{b};"),
            3 => format!("p{a} = p{b}->f{f};"),
            4 => format!("pp = &p{a}->f{f}; *pp = p{b};"),
            5 => format!("p{a} = malloc(sizeof(struct s)); *p{a} = *p{b}; note(p{a}, LINE);"),
            6 => format!("*p{a} = *p{b};"),
            7 => format!("memcpy(&p{a}->f1, &p{b}->f0, 16);"),
            8 => format!("n = (uintptr_t) p{a}; p{b} = (struct s *) n;"),
            9 => format!("array[count % 4].f{f} = p{a}; p{b} = array[count * 3 % 4].f{f};"),
            10 => format!("p{a} = choose(count, p{a}, p{b});"),
            11 => format!("qq = (struct s **) p{a}; qq += {g}; *qq = p{b}; p{a} = qq[0];"),
            12 => format!("p{a} = take({f}, p{a}, p{b}, p{a});"),
            _ => format!("if (count & 1) p{a} = array + {b}; else set(&p{a}, p{b});"),
        };
        writeln!(body, "count++; {statement} fill();").unwrap();
        if step % 3 == 0 {
            writeln!(body, "see(p{a}, __LINE__);").unwrap();
        }
    }
    let heads = "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#include <stdarg.h>\n#include <stdint.h>\n";
    let body = body.replace("LINE)", "__LINE__)").replace("____LINE____", "__LINE__");
    format!(
        "{heads}struct s {{ struct s *f0, *f1, *f2; }} o0, o1, o2, o3, array[4], *p0 = &o0, *p1 = &o1, *p2 = array, *p3 = &o3;
struct s **pp, **qq; int count; uintptr_t n; static struct {{ void *at; int line; }} heap[99]; static int heaps;
static void note(void *p, int line) {{ heap[heaps].at = p; heap[heaps++].line = line; }}
static void fill(void) {{ struct s **all[] = {{ &p0, &p1, &p2, &p3 }}; for (int i = 0; i < 4; i++) if (!*all[i]) *all[i] = &o0; }}
static struct s *choose(int c, struct s *x, struct s *y) {{ return c % 3 ? x : y; }}
static struct s *take(int k, ...) {{ va_list l; va_start(l, k); struct s *r; do r = va_arg(l, struct s *); while (k--); va_end(l); return r; }}
static void set(struct s **to, struct s *value) {{ *to = value; }}
static void see(void *p, int line) {{ char *c = p;
#define IN(x) if (c >= (char *) &x && c < (char *) (&x + 1)) printf(\"%d \" #x \"\\n\", line);
IN(o0) IN(o1) IN(o2) IN(o3) IN(array)
for (int i = 0; i < heaps; i++) if (c >= (char *) heap[i].at && c < (char *) heap[i].at + sizeof(struct s)) printf(\"%d heap@%d\\n\", line, heap[i].line); }}
int main(void) {{\n{body}}}\n"
    )
}

#[test]
fn whatever_a_run_shows_was_predicted() {
    for seed in 0..12 {
        let text = generated(seed);
        let shown = run(&text);
        assert!(shown.lines().count() >= 15, "the program ran: {shown}\n{text}");
        let case = Case::new(&text);
        let predicted: BTreeSet<String> = case
            .instructions()
            .filter(|(_, it)| it.callee.is_some_and(|id| case.program.at(id).name == "see"))
            .flat_map(|(function, call)| {
                let line = call.location.unwrap().line;
                let names = case.names(function, call.operands[0]);
                names.into_iter().map(move |name| format!("{line} {name}"))
            })
            .collect();
        for fact in shown.lines() {
            assert!(predicted.contains(fact), "seed {seed}: {fact} is missing\n{text}");
        }
    }
}

/// A program with a free list that hands out any memory again, and so many objects that they cannot
/// be kept apart. It prints the target of a pointer at each check: `<line> <object>`.
fn pooling(functions: usize) -> String {
    let mut dice = Dice(7);
    let mut text = "#include <stdio.h>
#include <stdlib.h>
struct s { struct s *f0, *f1, *f2; const char *text; };
struct range { void *at; unsigned long size; char kind; int number; };
static struct range heap[9999]; static int heaps; static struct range local; static struct s *list;
struct s lonely, *alone = &lonely;
static struct s *get(int line) {
  if (list) { struct s *p = list; list = p->f0; p->f0 = p->f1 = 0; return p; }
  struct s *p = calloc(1, sizeof *p);
  heap[heaps++] = (struct range) { p, sizeof *p, 'h', line }; return p; }
static void put(struct s *p) { p->f0 = list; list = p; }
static void see(const void *p, int line);
static struct s *step(struct s *here, struct s *p) {
  here->f0 = p; see(here, __LINE__); see(here->f0, __LINE__); return here->f0->f1; }
"
    .to_owned();
    for id in 0..functions {
        let (first, other) = (dice.below(3), dice.below(3));
        let last = if dice.below(2) == 0 { "q" } else { "p" };
        writeln!(
            text,
            "struct s o{id}; static const char t{id}[] = \"text {id}\";
struct s *f{id}(struct s *a, struct s *b) {{ struct s here = {{ 0 }};
  local = (struct range) {{ &here, sizeof here, 'l', {id} }};
  struct s *p = get(__LINE__);
  struct s *q = get(__LINE__);
  p->f{first} = a; q->f{other} = &o{id}; o{id}.f{other} = b; p->text = t{id}; b->f2 = p;
  see(a, __LINE__);
  see(p->f{first}, __LINE__);
  see(a->text, __LINE__);
  struct s *r = step(&here, q); if (!r) r = &o{id};
  see(r, __LINE__);
  put({last}); return r; }}"
        )
        .unwrap();
    }
    let list =
        |write: &dyn Fn(usize) -> String| (0..functions).map(write).collect::<Vec<_>>().join(", ");
    let objects = list(&|id| format!("{{ &o{id}, sizeof o{id}, 'o', {id} }}"));
    let texts = list(&|id| format!("{{ (void *) t{id}, sizeof t{id}, 't', {id} }}"));
    let todo = list(&|id| format!("f{id}"));
    format!(
        "{text}
static const struct range known[] = {{ {objects}, {texts} }};
static void in(const struct range *r, const char *p, int line) {{
  if (p >= (char *) r->at && p < (char *) r->at + r->size) printf(\"%d %c%d\\n\", line, r->kind, r->number); }}
static void see(const void *p, int line) {{
  for (int i = 0; i < sizeof known / sizeof *known; i++) in(known + i, p, line);
  for (int i = 0; i < heaps; i++) in(heap + i, p, line);
  in(&local, p, line); }}
static struct s *(*todo[])(struct s *, struct s *) = {{ {todo} }};
int main(void) {{ struct s *a = &o0, *b = &o1; alone->f0 = a;
  for (int i = 0; i < sizeof todo / sizeof *todo; i++) {{ struct s *c = todo[i](a, b); b = a; a = c; }} }}
"
    )
}

/// Compiles and runs a program; returns its output.
fn run(text: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    let (source, program) = (folder.path().join("a.c"), folder.path().join("a"));
    fs::write(&source, text).unwrap();
    compile(&["-w", "-O0", "-o"], &program, &source);
    String::from_utf8(Command::new(&program).output().unwrap().stdout).unwrap()
}

impl Case {
    /// The object on a line that [`pooling`] prints, under all its names.
    fn objects(&self, name: &str) -> Vec<Object> {
        let (kind, number) = name.split_at(1);
        let global = |name: &str| {
            let position = self.program.globals.iter().position(|it| it.name == name);
            vec![Object::Global(GlobalId(position.unwrap() as u32))]
        };
        let line = |it: &Instruction| it.location.map_or(0, |location| location.line);
        match kind {
            "h" => {
                let calls = self.instructions().filter(|(_, it)| it.callee.is_some());
                let calls = calls.filter(|(_, it)| line(it) == number.parse().unwrap());
                calls.map(|(_, it)| Object::Heap(it.site)).collect()
            }
            "l" if name != "lonely" => {
                let owner = format!("f{number}");
                let own = |id: FunctionId| self.program.at(id).name == owner;
                let locals = self.instructions().filter(|(id, it)| {
                    own(*id) && matches!(&it.detail, Detail::Local { name: Some(name), .. } if name == "here")
                });
                locals.map(|(_, it)| Object::Local(it.site)).collect()
            }
            _ => global(name),
        }
    }

    /// The arguments of the calls of `see` by their lines.
    fn checks(&self) -> HashMap<u32, Vec<CellId>> {
        let calls = self.instructions().filter(|(_, it)| {
            it.callee.is_some_and(|callee| self.program.at(callee).name == "see")
        });
        let mut checks: HashMap<u32, Vec<CellId>> = HashMap::new();
        for (function, call) in calls {
            let cells = self.points.targets(function, call.operands[0]);
            checks.entry(call.location.unwrap().line).or_default().extend(cells);
        }
        checks
    }
}

#[test]
fn too_many_objects_become_a_pool_that_has_all_of_them() {
    let text = pooling(500);
    let shown = run(&text);
    assert!(shown.lines().count() > 2000, "the program ran: {shown}");
    let start = Instant::now();
    let case = Case::new(&text);
    assert!(start.elapsed() < Duration::from_secs(60), "{:?}", start.elapsed());
    let checks = case.checks();
    let mut known: HashMap<&str, Vec<CellId>> = HashMap::new();
    for fact in shown.lines() {
        let (line, name) = fact.split_once(' ').unwrap();
        let cells = known.entry(name).or_insert_with(|| {
            let objects = case.objects(name).into_iter();
            objects.flat_map(|object| case.points.cells_of(object).to_vec()).collect()
        });
        let targets = &checks[&line.parse().unwrap()];
        assert!(cells.iter().any(|cell| targets.contains(cell)), "{fact} is missing: {cells:?}");
    }
    let is_pool = |cell: &CellId| matches!(case.points.cell(*cell).object, Object::Pool(_));
    let pooled = |name: &str| {
        let cells = case.points.cells_of(case.objects(name)[0]);
        (cells.len(), cells.iter().all(is_pool))
    };
    for name in ["o5", "t5", "l5"] {
        assert_eq!(pooled(name), (1, true), "{name}");
    }
    // Constant and writable objects have separate pools, and objects that few pointers point to
    // have none.
    let of = |name: &str| case.points.cells_of(case.objects(name)[0]);
    assert_eq!((of("o5"), of("l5"), of("t5")), (of("o9"), of("l9"), of("t9")));
    assert_ne!(of("o5"), of("t5"));
    let Object::Global(global) = case.objects("o5")[0] else { panic!("a global") };
    assert_eq!(case.points.targets(FunctionId(0), Operand::Global(global)), of("o5"));
    assert!(!pooled("lonely").1);
    assert_eq!(case.indirect().iter().map(Vec::len).max(), Some(500));
    let reachable = case.points.reachable(of("o5"));
    assert!(of("t5").iter().chain(of("o5")).all(|cell| reachable.contains(cell)));
    assert!(reachable.is_sorted_by(|one, other| one < other));
}

#[test]
fn two_runs_say_the_same() {
    for text in [generated(3), pooling(200)] {
        let case = Case::new(&text);
        let again = PointsTo::analyse(&case.program);
        assert_eq!(case.points.cells(), again.cells());
        for cell in (0..again.cells() as u32).map(CellId) {
            assert_eq!(case.points.cell(cell), again.cell(cell));
        }
        for (function, it) in case.instructions() {
            for operand in it.operands.iter().copied().chain([Operand::Site(it.site)]) {
                let both = [&case.points, &again].map(|points| points.targets(function, operand));
                assert_eq!(both[0], both[1], "{function:?} {operand:?}");
            }
            assert_eq!(case.points.callees(it.site), again.callees(it.site));
            assert_eq!(case.points.callbacks(it.site), again.callbacks(it.site));
        }
    }
}

//! `parallax explain`: how far the effect of a change gets in one test, and why no further.

#![allow(clippy::unwrap_used, reason = "a test's panic is its report")]

mod place;

use std::{sync::Mutex, thread};

use place::{Place, Printed};

/// A change to a program, and its expected explanation.
struct Case {
    name: &'static str,
    /// The new version: lines that start with `-` are the old version's, those with `+` its own.
    source: &'static str,
    test: &'static str,
    /// The exit status.
    status: i32,
    /// Parts of the output, in this order.
    says: &'static [&'static str],
    /// Parts that the output must not have.
    never: &'static [&'static str],
}

const CASES: &[Case] = &[
    Case {
        name: "each way to end",
        source: r#"
 #include <stdio.h>
 #include <stdlib.h>
 static const int table[8] = {5, 6, 7, 7, 7, 7, 7, 8};
 int main(int argc, char **argv) {
     int x = atoi(argv[1]), kept = 0;
-    int y = x + 1;
+    int y = x + 2;
     int unused = y * 3;
     kept += y & 8;
     kept += y * (argc - 2);
     kept += y >> 4;
     kept += table[y];
     kept += y > 3 ? 3 : y;
     if (y > 100) kept++;
     switch (y) { case 77: kept--; }
     printf("%d\n", kept);
     return 0;
 }"#,
        test: "args = [\"3\"]",
        status: 0,
        says: &[
            "no difference can be seen",
            "c1 modified in main, new.c:6: dies on the way",
            "y: 4 → 5",
            "int unused = y * 3;",
            "unused: 12 → 15",
            "ends, never used",
            "ends, swallowed: 4 & 8 → 5 & 8",
            "to live on: a bit in 0x1 must be set in the other operand (8)",
            "ends, swallowed: 4 * 0 → 5 * 0",
            "to live on: the other factor (0) must not be 0",
            "ends, swallowed: 4 >> 4 → 5 >> 4",
            "to live on: the shift (4) must leave a bit in 0x1 in the result",
            "ends, swallowed: a load from memory",
            "to live on: what is stored at the two addresses must differ",
            "ends, decided alike: 4 > 3 → 5 > 3",
            "ends, decided alike: 4 > 100 → 5 > 100",
            "to live on: the bound (100) must lie between 4 and 5",
            "ends, decided alike: the switch is on 4 → the switch is on 5",
        ],
        never: &["seen from outside"],
    },
    Case {
        name: "through a loop, calls and recursion",
        source: r#"
 #include <stdio.h>
 static int twice(int v) { return v * 2; }
 static int sum(int n) {
     if (n == 0) return 0;
     return twice(n) + sum(n - 1);
 }
 int main(void) {
-    int rounds = 2;
+    int rounds = 3;
     int total = 0;
     for (int i = 0; i < rounds; i++)
         total += sum(i);
     printf("%d\n", total);
     return 0;
 }"#,
        test: "",
        status: 1,
        says: &[
            "stdout differs",
            "c1 modified in main, new.c:8: can be seen",
            "rounds: 2 → 3",
            "for (int i = 0; i < rounds; i++)",
            "decides false → true",
            "prints \"2\\n\" → \"8\\n\"",
            "seen from outside: printf(…)",
        ],
        never: &[],
    },
    Case {
        name: "through memory of all kinds",
        source: r#"
 #include <stdio.h>
 #include <stdlib.h>
 #include <string.h>
 struct item { int number; struct item *next; char text[8]; };
 static struct item *list;
 static void add(int number) {
     struct item *item = malloc(sizeof *item);
     item->number = number;
     snprintf(item->text, sizeof item->text, "<%d>", number);
     item->next = list;
     list = item;
 }
 int main(void) {
     for (int i = 0; i < 3; i++)
-        add(i);
+        add(i == 1 ? 7 : i);
     struct item copy;
     memcpy(&copy, list->next, sizeof copy);
     char *end = strchr(copy.text, '>');
     printf("%d\n", (int)(end - copy.text));
     puts(copy.text);
     return copy.number & 2;
 }"#,
        test: "",
        status: 1,
        says: &[
            "c1 modified in main, new.c:15: can be seen",
            "number: 1 → 7",
            "prints \"<1>\\n\" → \"<7>\\n\"",
            "seen from outside: puts(…)",
            "seen from outside: the exit status",
        ],
        never: &["seen from outside: printf"],
    },
    Case {
        name: "a guard that was added and does not matter here",
        source: r#"
 #include <stdio.h>
 #include <stdlib.h>
 int main(int argc, char **argv) {
     int x = atoi(argv[1]);
+    if (x > 100)
+        x = 100;
     printf("%d\n", x);
     return 0;
 }"#,
        test: "args = [\"50\"]",
        status: 0,
        says: &[
            "c1 added in main, new.c:5-6: executed without effect",
            "ends, decided alike: 50 > 100",
            "to live on: the condition must hold",
        ],
        never: &["printf"],
    },
    Case {
        name: "the same guard where it matters",
        source: r#"
 #include <stdio.h>
 #include <stdlib.h>
 int main(int argc, char **argv) {
     int x = atoi(argv[1]);
+    if (x > 100)
+        x = 100;
     printf("%d\n", x);
     return 0;
 }"#,
        test: "args = [\"500\"]",
        status: 1,
        says: &["x: nothing → 100", "prints \"500\\n\" → \"100\\n\""],
        never: &["ends"],
    },
    Case {
        name: "a statement that is gone",
        source: r#"
 #include <stdio.h>
 int main(void) {
     int x = 1;
-    x = 2;
     printf("%d\n", x);
     return 0;
 }"#,
        test: "",
        status: 1,
        says: &[
            "c1 deleted in main, old.c:4: can be seen",
            "x = 2;",
            "x: 2 → nothing",
            "prints \"2\\n\" → \"1\\n\"",
        ],
        never: &[],
    },
    Case {
        name: "two changes, of which one dies",
        source: r#"
 #include <stdio.h>
 int main(void) {
-    int one = 4;
+    int one = 6;
     printf("first\n");
-    int two = 4;
+    int two = 6;
     printf("%d\n", one & 4);
     printf("%d\n", two);
     return 0;
 }"#,
        test: "",
        status: 1,
        says: &[
            "c1 modified in main, new.c:3: dies on the way",
            "one: 4 → 6",
            "ends, swallowed: 4 & 4 → 6 & 4",
            "c2 modified in main, new.c:5: can be seen",
            "two: 4 → 6",
            "prints \"4\\n\" → \"6\\n\"",
        ],
        never: &[],
    },
    Case {
        name: "addresses are no effect",
        source: r#"
 #include <stdio.h>
 #include <stdint.h>
 #include <stdlib.h>
 #include <string.h>
 static char before[16];
 static int *where;
 int main(void) {
+    char more[4096];
+    memset(more, 0, sizeof more);
+    char *block = malloc(100);
+    free(block);
     int local = 3;
     where = &local;
     int *heap = malloc(sizeof *heap);
     *heap = *where;
     uintptr_t number = (uintptr_t)heap ^ (uintptr_t)&local ^ (uintptr_t)before;
     printf("%d %d\n", *heap, number != 0);
     return 0;
 }"#,
        test: "",
        status: 0,
        says: &["c1 added in main"],
        never: &["where", "heap", "local", "number"],
    },
    Case {
        name: "a change that is not executed",
        source: r#"
 #include <stdio.h>
 int main(int argc, char **argv) {
     if (argc > 1)
-        puts("one");
+        puts("two");
     return 0;
 }"#,
        test: "",
        status: 0,
        says: &["c1 modified in main, new.c:4: not executed"],
        never: &["ends"],
    },
    Case {
        name: "a comparison that gives the same",
        source: r#"
 #include <stdlib.h>
 int main(int argc, char **argv) {
     int x = atoi(argv[1]);
-    if (x > 5) return 1;
+    if (x >= 5) return 1;
     return 0;
 }"#,
        test: "args = [\"3\"]",
        status: 0,
        says: &["c1 modified in main, new.c:4: executed without effect", "computed alike"],
        never: &[],
    },
    Case {
        name: "a crash",
        source: r#"
 #include <stdio.h>
 #include <string.h>
 int main(int argc, char **argv) {
     char *colon = strchr(argv[1], ':');
+    if (colon == NULL) return 3;
     printf("%c\n", colon[1]);
     return 0;
 }"#,
        test: "args = [\"ab\"]",
        status: 1,
        says: &["exit differs", "c1 added in main, new.c:5: can be seen", "the exit status"],
        never: &[],
    },
    Case {
        name: "a change that is executed late in a long run",
        source: r#"
 #include <stdio.h>
 #include <stdlib.h>
 static int state = 1;
 int main(int argc, char **argv) {
     long rounds = atol(argv[1]);
     unsigned sum = 0;
     for (long i = 0; i < rounds; i++) {
         sum ^= (unsigned)(i * state);
         if (sum % 3 == 0) state++;
     }
-    int limit = state > 7 ? 10 : 20;
+    int limit = state > 7 ? 12 : 22;
     for (long i = 0; i < rounds; i++)
         if ((sum += (unsigned)(i * 3)) % 5 == 0) sum++;
     printf("%u\n", sum);
     printf("%d\n", limit & 15);
-    printf("%d\n", argc & 2);
+    printf("%d\n", argc & 3);
     if (sum == 4711)
-        puts("never");
+        puts("not once");
     return 0;
 }"#,
        test: "args = [\"200000\"]",
        status: 1,
        says: &[
            "the part before the first executed change and all that no change can affect were left out",
            "c1 modified in main, new.c:11: can be seen",
            "limit: 10 → 12",
            "c2 modified in main, new.c:16: dies on the way",
            "c3 modified in main, new.c:18: not executed",
        ],
        never: &["recorded to their ends"],
    },
    Case {
        name: "an effect that does not end in the part that is recorded",
        source: r#"
 #include <stdio.h>
 #include <stdlib.h>
 int main(int argc, char **argv) {
     long rounds = atol(argv[1]);
-    unsigned sum = 1;
+    unsigned sum = 2;
     for (long i = 0; i < rounds; i++)
         sum = sum * 31 + (unsigned)i;
     printf("%u\n", sum);
-    puts("done");
+    puts("ready");
     return 0;
 }"#,
        test: "args = [\"1000000\"]",
        status: 1,
        says: &[
            "recorded to their ends",
            "c1 modified in main, new.c:5: has an effect, which was not followed to its end",
            "c2 modified in main, new.c:9: executed, and not followed to the end of the run",
        ],
        never: &["can be seen"],
    },
    Case {
        name: "a phi that the second of two conditions chooses",
        source: r#"
 #include <stdio.h>
 int main(void) {
     int d = getchar();
-    printf("%c\n", d > 32 ? d : '.');
+    printf("%c\n", d > 32 && d < 127 ? d : '.');
     return 0;
 }
"#,
        test: "stdin_hex = \"7f\"",
        status: 1,
        says: &["c1 modified in main", "can be seen", "seen from outside: printf"],
        never: &[],
    },
    Case {
        name: "arguments beyond the parameters",
        source: r#"
 #include <stdarg.h>
 #include <stdio.h>
 #include <string.h>
 static void list(const char *format, va_list more) { vprintf(format, more); }
 static void say(const char *format, ...) {
     va_list more;
     va_start(more, format);
     list(format, more);
     va_end(more);
 }
 static int sum(int count, ...) {
     va_list more;
     va_start(more, count);
     int sum = 0;
     while (count--) sum += va_arg(more, int);
     va_end(more);
     return sum;
 }
 int main(int argc, char **argv) {
     char text[8];
-    strcpy(text, argv[1]);
+    strcpy(text, argv[1] + 1);
     puts("one");
-    int number = argc;
+    int number = argc + 1;
     say("%s %d\n", text, number);
     puts("two");
-    int other = argc;
+    int other = argc * 3;
     printf("%d\n", sum(2, argc, other));
     return 0;
 }
"#,
        test: "args = [\"ab\"]",
        status: 1,
        says: &[
            "c1 modified",
            "can be seen",
            "c2 modified",
            "can be seen",
            "c3 modified",
            "can be seen",
        ],
        never: &["executed without effect"],
    },
    Case {
        name: "what is written over",
        source: r#"
 #include <stdio.h>
 #include <string.h>
 int main(int argc, char **argv) {
     char text[32];
-    strcpy(text, "hello");
+    strcpy(text, "hullo");
     strcpy(text, argv[1]);
     puts(text);
-    sprintf(text, "%d", argc);
+    sprintf(text, "%d", argc + 1);
     snprintf(text, sizeof text, "%s", argv[1]);
     puts(text);
     return 0;
 }
"#,
        test: "args = [\"abc\"]",
        status: 0,
        says: &["c1 modified", "c2 modified"],
        never: &[": can be seen"],
    },
];

/// The old and the new version of a source.
fn versions(source: &str) -> (String, String) {
    let lines = || source.trim_start_matches('\n').lines();
    let without = |mark: char| {
        let kept = lines().filter(|line| !line.starts_with(mark));
        kept.map(|line| line.get(1..).unwrap_or_default().to_owned() + "\n").collect()
    };
    (without('+'), without('-'))
}

fn explain(place: &Place, number: usize, case: &Case, more: &[&str]) -> Printed {
    let (old, new) = versions(case.source);
    let path = |name: &str| format!("case{number}/{name}");
    place.write(&path("old.c"), &old);
    place.write(&path("new.c"), &new);
    place.write(&path("test.toml"), case.test);
    let files = ["old.c", "new.c", "test.toml"].map(path);
    let words = ["explain", &files[0], &files[1], &files[2]];
    place.parallax(&[&words, more].concat())
}

fn check(case: &Case, printed: &Printed) -> Result<(), String> {
    let Printed { stdout, stderr, status } = printed;
    let report = |what: String| Err(format!("{}: {what}\n{stdout}{stderr}", case.name));
    if *status != case.status {
        return report(format!("status {status}"));
    }
    let mut rest = stdout.as_str();
    for says in case.says {
        let Some(at) = rest.find(says) else { return report(format!("it does not say {says}")) };
        rest = &rest[at + says.len()..];
    }
    match case.never.iter().find(|never| stdout.contains(**never)) {
        Some(never) => report(format!("it says {never}")),
        None => Ok(()),
    }
}

#[test]
fn effects_are_followed_to_where_they_end() {
    let place = Place::new();
    // Common parts of all programs are built once.
    let first = explain(&place, 0, &CASES[0], &[]);
    let failures = Mutex::new(Vec::from_iter(check(&CASES[0], &first).err()));
    let next = Mutex::new(CASES.iter().enumerate().skip(1));
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                loop {
                    let Some((number, case)) = next.lock().unwrap().next() else { break };
                    let printed = explain(&place, number, case, &[]);
                    failures.lock().unwrap().extend(check(case, &printed).err());
                }
            });
        }
    });
    let failures = failures.into_inner().unwrap();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn programs_get_json_and_mistakes_are_trouble() {
    let place = Place::new();
    let printed = explain(&place, 5, &CASES[5], &["--json"]);
    assert_eq!(printed.status, 1, "{}", printed.stderr);
    for part in [
        "\"schema\": 1",
        "\"verb\": \"explain\"",
        "\"differs_in\": [\n    \"stdout\"\n  ]",
        "\"propagated\": true",
        "\"stopped_at\": null",
        "\"version\": \"old\"",
        "\"name\": \"x\"",
    ] {
        assert!(printed.stdout.contains(part), "{part}\n{}", printed.stdout);
    }
    place.write("case5/more/a.toml", "");
    place.write("case5/more/b.toml", "");
    let two = place.parallax(&["explain", "case5/old.c", "case5/new.c", "case5/more"]);
    assert_eq!(two.status, 2);
    assert!(two.stderr.contains("explain takes one test"), "{}", two.stderr);
    let same = place.parallax(&["explain", "case5/old.c", "case5/old.c", "case5/test.toml"]);
    assert_eq!((same.status, same.stdout.as_str()), (0, "old: unchanged\n"));
}

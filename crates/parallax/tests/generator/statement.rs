//! Random statements.

use std::fmt::Write;

use super::{
    Scope,
    types::{BOOL, INT, LONG, Type},
};

impl Scope<'_> {
    /// Appends a statement to `out`; `depth` is the nesting that is left.
    pub(crate) fn statement(&mut self, out: &mut String, depth: usize) {
        let choice = self.chance.below(if depth == 0 { 16 } else { 26 });
        let text = match choice {
            0..=4 => self.assignment(),
            5..=7 => self.store(),
            8 => self.compound(),
            9 => self.memory(),
            10 => self.aggregate(),
            11 => self.variadic(),
            12 => self.text(),
            13 => self.increment(),
            14 => self.heap(),
            15 => self.print_and_scan(),
            16..=19 => return self.conditional(out, depth),
            20 | 21 => return self.switch(out, depth),
            22..=24 => return self.cycle(out, depth),
            _ => return self.jump(out, depth),
        };
        let _ = writeln!(out, "    {text}");
    }

    fn statements(&mut self, out: &mut String, count: usize, depth: usize) {
        for _ in 0..count {
            self.statement(out, depth);
        }
    }

    fn assignment(&mut self) -> String {
        let variable = self.any_variable();
        let value = self.expression(variable.ty, 3);
        format!("{} = {value};", variable.text)
    }

    fn compound(&mut self) -> String {
        let variable = self.any_variable();
        let value = self.expression(variable.ty, 2);
        let text = &variable.text;
        match variable.ty {
            ty if ty.is_float() => format!("{text} = __builtin_fmax({text} + {value}, -1e300);"),
            ty if ty.bits < 32 => {
                format!("{text} {} {value};", self.chance.pick(&["+=", "^=", "|=", "-="]))
            }
            _ => format!("{text} {} {value};", self.chance.pick(&["&=", "^=", "|="])),
        }
    }

    fn increment(&mut self) -> String {
        let variable = self.any_variable();
        match variable.ty.bits {
            1..32 => format!("{}{};", variable.text, self.chance.pick(&["++", "++"])),
            _ => format!("{} = {};", variable.text, self.expression(variable.ty, 1)),
        }
    }

    /// A store to an element of an array, by index or through a pointer.
    fn store(&mut self) -> String {
        let array = self.any_array();
        let index = self.index(array.length, 2);
        let value = self.expression(array.ty, 2);
        match self.chance.below(4) {
            0 => format!("{{ {} *q = &{}[{index}]; *q = {value}; }}", array.ty.name, array.text),
            _ => format!("{}[{index}] = {value};", array.text),
        }
    }

    fn memory(&mut self) -> String {
        let array = self.any_array();
        let (text, length) = (&array.text, array.length);
        match self.chance.below(6) {
            0 => format!("memcpy(raw, {text}, sizeof {text}[0] * {length});"),
            1 => format!(
                "memset(raw + {}, {}, {});",
                self.chance.below(32),
                self.expression(INT, 2),
                self.chance.below(32)
            ),
            2 => format!(
                "memmove(raw + {}, raw + {}, {});",
                self.chance.below(40),
                self.chance.below(40),
                self.chance.below(80)
            ),
            3 => format!(
                "memmove(raw + ({} & 31), raw + 3, {});",
                self.expression(INT, 1),
                self.chance.below(64)
            ),
            4 => {
                let ty = Type::any(self.chance);
                let variable = self.any_variable();
                if ty.is_float() || ty == BOOL {
                    return self.assignment();
                }
                let at = self.chance.below(100);
                let read = format!("{{ {} w; memcpy(&w, raw + {at}, sizeof w); ", ty.name);
                format!("{read}{} = {}; }}", variable.text, variable.ty.convert(ty, "w"))
            }
            _ => {
                let ty = Type::any(self.chance);
                let value = self.expression(ty, 2);
                let at = self.chance.below(100);
                format!("{{ {} w = {value}; memcpy(raw + {at}, &w, sizeof w); }}", ty.name)
            }
        }
    }

    /// Structures by value, bit-fields, unions.
    fn aggregate(&mut self) -> String {
        match self.chance.below(14) {
            9 => format!("larges[{}] = turn_large(large, small, mixed);", self.index(4, 2)),
            10 => "large = p_turn_large(larges[1], small, mixed);".to_owned(),
            11 => "small = p_turn_small(small, large);".to_owned(),
            12 => format!(
                "grid[{}][{}] = {};",
                self.index(4, 2),
                self.index(8, 2),
                self.expression(INT, 2)
            ),
            13 => format!(
                "*({} ? &choices[1] : &choices[2]) = {};",
                self.expression(BOOL, 2),
                self.expression(INT, 2)
            ),
            0 => "small = turn_small(small, large);".to_owned(),
            1 => "large = turn_large(large, small, mixed);".to_owned(),
            2 => "mixed = turn_mixed(mixed);".to_owned(),
            3 => format!("larges[{}] = large;", self.index(4, 2)),
            4 => format!("large = larges[{}];", self.index(4, 2)),
            5 => format!("smalls[{}] = small;", self.index(4, 2)),
            6 => format!(
                "small = {} ? small : smalls[{}];",
                self.expression(BOOL, 2),
                self.index(4, 1)
            ),
            7 => format!("small = (struct small){{ {}, small.b }};", self.expression(INT, 2)),
            _ => format!("bits = turn_bits(bits, {});", self.expression(INT, 2)),
        }
    }

    fn heap(&mut self) -> String {
        let (ty, variable) = (Type::any(self.chance), self.any_variable());
        let (name, zeroed) = (ty.name, self.chance.pick(&["malloc(N)", "calloc(1, N)"]));
        let allocate = zeroed.replace('N', &format!("8 * sizeof({name})"));
        let value = self.expression(ty, 2);
        let (store, load) = (self.index(8, 1), self.index(8, 1));
        let read = variable.ty.convert(ty, &format!("m_[{load}]"));
        format!(
            "{{ {name} *m_ = {allocate}; for (int j = 0; j < 8; j++) m_[j] = 1; m_[{store}] = {value}; \
             if (at & 1) m_ = realloc(m_, 4096); {} = {read}; free(m_); }}",
            variable.text
        )
    }

    fn print_and_scan(&mut self) -> String {
        let (value, variable) = (self.expression(INT, 2), self.any_variable());
        let text = match self.chance.below(4) {
            0 => format!("snprintf(buffer, sizeof buffer, \"%d\", {value} & 1023)"),
            1 => format!("sprintf(buffer, \"%5x|%c\", {value} & 255, 33 + ({value} & 63))"),
            2 => "(sscanf((char *)words, \"%d\", &scanned) + scanned)".to_owned(),
            _ => "(strtod((char *)words + 8, 0) > 3)".to_owned(),
        };
        let taken = variable.ty.convert(LONG, &format!("(long)({text} + buffer[0])"));
        format!("{} = {taken};", variable.text)
    }

    fn variadic(&mut self) -> String {
        let mut kinds = String::new();
        let mut arguments = String::new();
        // The first of the six registers for integers holds `kinds`.
        let mut used = 1;
        for _ in 0..1 + self.chance.below(11) {
            let (kind, argument) = match self.chance.below(8) {
                0 | 1 => ('i', self.expression(INT, 1)),
                2 | 3 => ('l', self.expression(LONG, 1)),
                4 => ('d', self.expression(super::types::DOUBLE, 1)),
                // With one register left clang 19 itself is wrong.
                5 if used != 5 => ('q', format!("(i128){}", self.expression(LONG, 1))),
                5 | 6 => ('s', "small".to_owned()),
                _ => match self.chance.below(3) {
                    0 => ('t', "large".to_owned()),
                    1 => ('m', "mixed".to_owned()),
                    _ => ('w', "wide".to_owned()),
                },
            };
            kinds.push(kind);
            used += match kind {
                'i' | 'l' | 's' | 'm' => 1,
                'q' => 2,
                _ => 0,
            };
            let _ = write!(arguments, ", {argument}");
        }
        let variable = self.any_variable();
        let sum = variable.ty.convert(LONG, &format!("(long)sum(\"{kinds}\"{arguments})"));
        format!("{} = {sum};", variable.text)
    }

    /// Functions of the library on text that the input decides.
    fn text(&mut self) -> String {
        let variable = self.any_variable();
        let at = self.chance.below(60);
        let value = match self.chance.below(9) {
            0 => format!("strlen(words + {at})"),
            1 => format!("strcmp(words + {at}, words + {}) > 0", self.chance.below(60)),
            2 => format!("memcmp(words + {at}, raw, {}) < 0", self.chance.below(20)),
            3 => format!("strtol(words + {at}, 0, {})", self.chance.pick(&["10", "16", "0", "8"])),
            4 => format!("atoi(words + {at})"),
            5 => format!("(strchr(words + {at}, {} & 127) != 0)", self.expression(INT, 1)),
            6 => format!("isalnum((unsigned char)words[{}])", self.index(64, 1)),
            7 => format!("toupper((unsigned char)words[{at}])"),
            _ => format!("strspn(words + {at}, \"0123456789abc\")"),
        };
        let (name, value) =
            (&variable.text, variable.ty.convert(LONG, &format!("(long)({value})")));
        format!("{name} = {value};")
    }

    fn conditional(&mut self, out: &mut String, depth: usize) {
        let condition = self.expression(BOOL, 3);
        let _ = writeln!(out, "    if ({condition}) {{");
        let count = 1 + self.chance.below(2);
        self.statements(out, count, depth - 1);
        if self.chance.percent(60) {
            let _ = writeln!(out, "    }} else {{");
            self.statements(out, count, depth - 1);
        }
        let _ = writeln!(out, "    }}");
    }

    fn switch(&mut self, out: &mut String, depth: usize) {
        let ty = Type::integer(self.chance);
        let value = self.expression(ty, 2);
        let dense = self.chance.percent(50);
        let value = if dense { format!("{value} & 7") } else { value };
        let _ = writeln!(out, "    switch ({value}) {{");
        let mut next = if dense { 0 } else { -70 };
        for _ in 0..2 + self.chance.below(6) {
            let end = next + if self.chance.percent(20) { 30 } else { 0 };
            let _ = match end == next {
                true => writeln!(out, "    case {next}:"),
                false => writeln!(out, "    case {next} ... {end}:"),
            };
            next = end + 1 + if dense { 0 } else { self.chance.below(40) as i32 };
            self.statement(out, depth - 1);
            if self.chance.percent(80) {
                let _ = writeln!(out, "    break;");
            }
        }
        if self.chance.percent(70) {
            let _ = writeln!(out, "    default:");
            self.statement(out, depth - 1);
        }
        let _ = writeln!(out, "    }}");
    }

    fn cycle(&mut self, out: &mut String, depth: usize) {
        self.labels += 1;
        let counter = format!("k{}", self.labels);
        let end = match self.chance.below(3) {
            0 => format!("({} & 7)", self.expression(INT, 2)),
            _ => (1 + self.chance.below(6)).to_string(),
        };
        let closing = match self.chance.below(3) {
            0 => {
                let _ =
                    writeln!(out, "    for (int {counter} = 0; {counter} < {end}; {counter}++) {{");
                "    }".to_owned()
            }
            1 => {
                let _ = writeln!(out, "    {{ int {counter} = 0, e_{counter} = {end}; do {{");
                format!("    }} while (++{counter} < e_{counter}); }}")
            }
            _ => {
                let _ = writeln!(
                    out,
                    "    {{ int {counter} = 0, e_{counter} = {end}; a_{counter}: if ({counter} < e_{counter}) {{ {counter}++;"
                );
                format!("    goto a_{counter}; }} }}")
            }
        };
        self.variables.push(super::Variable { text: counter, ty: INT, is_counter: true });
        let count = 1 + self.chance.below(2);
        self.statements(out, count, depth - 1);
        if self.chance.percent(25) && closing != "    goto" && !closing.contains("goto") {
            let _ = writeln!(
                out,
                "    if ({}) {};",
                self.expression(BOOL, 2),
                self.chance.pick(&["break", "continue"])
            );
        }
        self.variables.pop();
        let _ = writeln!(out, "{closing}");
    }

    /// Memory of a size that is known late, and jumps out of functions.
    fn jump(&mut self, out: &mut String, depth: usize) {
        if self.chance.percent(50) {
            let (ty, index) = (Type::any(self.chance), self.index(8, 1));
            self.labels += 1;
            let name = format!("late{}", self.labels);
            let length = format!("8 + ({} & 3)", self.expression(INT, 1));
            let _ = match self.chance.percent(50) {
                true => writeln!(out, "    {{ {} {name}[{length}];", ty.name),
                false => writeln!(
                    out,
                    "    {{ {0} *{name} = __builtin_alloca((unsigned long)({length}) * sizeof({0}));",
                    ty.name
                ),
            };
            let _ = writeln!(
                out,
                "    for (int j = 0; j < 8; j++) {name}[j] = {};",
                self.expression(ty, 1)
            );
            let _ = writeln!(out, "    {name}[{index}] = {};", self.expression(ty, 1));
            self.arrays.push(super::Array { text: name.clone(), ty, length: 8 });
            self.statement(out, depth - 1);
            self.arrays.pop();
            let target = self.any_variable();
            let value = target.ty.convert(ty, &format!("{name}[{}]", self.index(8, 1)));
            let _ = writeln!(out, "    {} = {value}; }}", target.text);
            return;
        }
        let value = self.expression(INT, 2);
        let _ = writeln!(out, "    if (setjmp(point) == 0) {{ leap({value});");
        self.statement(out, depth - 1);
        let _ = writeln!(out, "    }} else {{ printf(\" back %d\", leapt);");
        self.statement(out, depth - 1);
        let _ = writeln!(out, "    }}");
    }
}

//! Random expressions of a type.

use super::{
    Scope,
    types::{BOOL, DOUBLE, INT, Kind, LONG, Type},
};

impl Scope<'_> {
    /// An expression of type `ty`.
    pub(crate) fn expression(&mut self, ty: Type, depth: usize) -> String {
        if depth == 0 || self.chance.percent(12) {
            return self.leaf(ty);
        }
        match self.chance.below(20) {
            0..=6 if ty.is_float() => self.float_arithmetic(ty, depth - 1),
            0..=6 => self.arithmetic(ty, depth - 1),
            7 => self.comparison(ty, depth - 1),
            8 | 9 => self.choice(ty, depth - 1),
            10 | 11 => self.cast(ty, depth - 1),
            12..=14 => self.element(ty, depth - 1),
            15 => self.call(ty, depth - 1),
            16 | 17 if ty.is_float() => self.float_builtin(ty, depth - 1),
            16 | 17 => self.builtin(ty, depth - 1),
            18 => self.logic(ty, depth - 1),
            _ => self.leaf(ty),
        }
    }

    fn leaf(&mut self, ty: Type) -> String {
        if self.chance.percent(15) {
            return ty.constant(self.chance);
        }
        let index = self.chance.below(self.variables.len());
        let variable = self.variables[index].clone();
        ty.convert(variable.ty, &variable.text)
    }

    /// An index below `length`, which is a power of two.
    pub(crate) fn index(&mut self, length: usize, depth: usize) -> String {
        match self.chance.below(10) {
            0 => self.chance.below(length).to_string(),
            _ => {
                let ty = Type::integer(self.chance);
                format!("({} & {})", self.expression(ty, depth), length - 1)
            }
        }
    }

    fn arithmetic(&mut self, ty: Type, depth: usize) -> String {
        let (a, b) = (self.expression(ty, depth), self.expression(ty, depth));
        let (name, modular) = (ty.name, ty.modular());
        let shift_end = modular_bits(ty) - 1;
        let promoted = ty.bits < 32 || ty.kind == Kind::Unsigned;
        match self.chance.below(16) {
            0..=2 => {
                let op = self.chance.pick(&["+", "-", "*"]);
                format!("(({name})(({modular}){a} {op} ({modular}){b}))")
            }
            3 | 4 => format!("(({name})({a} {} {b}))", self.chance.pick(&["&", "|", "^"])),
            5 if promoted && ty.bits < 32 => {
                format!("(({name})({a} {} {b}))", self.chance.pick(&["+", "-"]))
            }
            6 if ty.kind == Kind::Signed => {
                format!("(({name})(({a} >> 2) {} ({b} >> 3)))", self.chance.pick(&["+", "-"]))
            }
            5..=7 => format!("(({name})(({modular}){a} << ({b} & {shift_end})))"),
            8 | 9 => format!("(({name})({a} >> ({b} & {})))", ty.bits.max(8) - 1),
            10 => {
                let op = self.chance.pick(&["/", "%"]);
                format!("(({name})({a} {op} (({b} & 31) + 2)))")
            }
            11 if ty.kind == Kind::Signed => {
                let op = self.chance.pick(&["/", "%"]);
                format!("({b} == 0 || {b} == -1 ? {a} : ({name})({a} {op} {b}))")
            }
            11 => {
                let op = self.chance.pick(&["/", "%"]);
                format!("(({name})(({modular}){a} {op} (({modular}){b} | 1)))")
            }
            12 => format!("(({name})-({modular}){a})"),
            13 => format!("(({name})~{a})"),
            14 => format!("(({name})!{a})"),
            _ => format!("((void){a}, {b})"),
        }
    }

    fn float_arithmetic(&mut self, ty: Type, depth: usize) -> String {
        let (a, b) = (self.expression(ty, depth), self.expression(ty, depth));
        let name = ty.name;
        match self.chance.below(8) {
            0..=5 => {
                let op = self.chance.pick(&["+", "-", "*", "/"]);
                // The kind of NaN is unspecified.
                format!("(({name})__builtin_fmax({a} {op} {b}, -1e300))")
            }
            6 => format!("(-{a})"),
            _ => format!("(({name})({a} * 0.5 + {b}) > 0 ? {a} : {b})"),
        }
    }

    fn comparison(&mut self, ty: Type, depth: usize) -> String {
        let of = Type::any(self.chance);
        let (a, b) = (self.expression(of, depth), self.expression(of, depth));
        let op = self.chance.pick(&["<", "<=", ">", ">=", "==", "!="]);
        ty.convert(INT, &format!("({a} {op} {b})"))
    }

    fn choice(&mut self, ty: Type, depth: usize) -> String {
        let condition = self.expression(BOOL, depth);
        if self.chance.percent(50) {
            let (a, b) = (ty.constant(self.chance), ty.constant(self.chance));
            return format!("({condition} ? {a} : {b})");
        }
        format!("({condition} ? {} : {})", self.expression(ty, depth), self.expression(ty, depth))
    }

    fn logic(&mut self, ty: Type, depth: usize) -> String {
        let (a, b) = (self.expression(BOOL, depth), self.expression(INT, depth));
        let op = self.chance.pick(&["&&", "||"]);
        ty.convert(INT, &format!("({a} {op} {b})"))
    }

    fn cast(&mut self, ty: Type, depth: usize) -> String {
        let from = Type::any(self.chance);
        let text = self.expression(from, depth);
        ty.convert(from, &text)
    }

    /// An element of an array, accessed in one of many ways.
    fn element(&mut self, ty: Type, depth: usize) -> String {
        let array = self.any_array();
        let (name, of) = (&array.text, array.ty.name);
        let [i, j] = [(); 2].map(|()| self.index(array.length, depth));
        let text = match self.chance.below(20) {
            0 => return ty.convert(LONG, &format!("(&{name}[{i}] - {name})")),
            1 => return ty.convert(INT, &format!("(&{name}[{i}] < &{name}[{j}])")),
            2 => return ty.convert(INT, &format!("(&{name}[{i}] == {name} + {j})")),
            3 => format!("({{ {of} *p_ = &{name}[{i}], **q_ = &p_; **q_; }})"),
            4 => format!("(*({} ? &{name}[1] : &{name}[{i}]))", self.expression(BOOL, depth)),
            5 => {
                let (i, j) = (self.index(4, depth), self.index(8, depth));
                let of = self.chance.pick(&["larges[I].items[J]", "grid[I][J]"]);
                return ty.convert(INT, &of.replace('I', &i).replace('J', &j));
            }
            6 => {
                return ty.convert(
                    INT,
                    &format!("(*({} ? &choices[0] : &choices[3]))", self.expression(BOOL, depth)),
                );
            }
            7 => return ty.convert(self.table, &format!("table[{}]", self.index(8, depth))),
            8 | 9 => format!("*({name} + {i})"),
            _ => format!("{name}[{i}]"),
        };
        ty.convert(array.ty, &text)
    }

    fn call(&mut self, ty: Type, depth: usize) -> String {
        if self.functions.is_empty() {
            return self.leaf(ty);
        }
        let function = self.functions[self.chance.below(self.functions.len())].clone();
        let arguments: Vec<_> =
            function.parameters.iter().map(|ty| self.expression(*ty, depth.min(1))).collect();
        let name = &function.name;
        // The table hides the callee from the compiler.
        let callee = match self.chance.below(4) {
            0 => format!("(*(volatile __typeof__(&{name}) *)&p_{name})"),
            _ => name.clone(),
        };
        ty.convert(function.result, &format!("{callee}({})", arguments.join(", ")))
    }

    fn builtin(&mut self, ty: Type, depth: usize) -> String {
        let wide = self.chance.percent(50);
        let (of, suffix) = if wide { ("unsigned long", "l") } else { ("unsigned", "") };
        let of_type = Type { name: of, bits: if wide { 64 } else { 32 }, kind: Kind::Unsigned };
        let (a, b) = (self.expression(of_type, depth), self.expression(of_type, depth));
        let signed = of.replace("unsigned long", "long").replace("unsigned", "int");
        let text = match self.chance.below(14) {
            0 => format!("__builtin_popcount{suffix}({a})"),
            1 => format!("__builtin_clz{suffix}({a} | 1)"),
            2 => format!("__builtin_ctz{suffix}({a} | 16)"),
            3 => format!("__builtin_bswap{}({a})", of_type.bits),
            4 => format!("__builtin_bswap16((unsigned short){a})"),
            5 => format!("__builtin_parity{suffix}({a})"),
            6 => format!("__builtin_ffs{suffix}(({signed}){a})"),
            7 => format!(
                "__builtin_rotate{}{}({a}, {b})",
                self.chance.pick(&["left", "right"]),
                of_type.bits
            ),
            8 => format!("__builtin_bitreverse{}({a})", of_type.bits),
            9 => {
                let op = self.chance.pick(&["max", "min", "add_sat", "sub_sat"]);
                let sign = if self.chance.percent(50) { of } else { &signed };
                format!("__builtin_elementwise_{op}(({sign}){a}, ({sign}){b})")
            }
            10 => format!("__builtin_expect(({a}) != 0, 1)"),
            11 => format!("__builtin_abs(({}) >> 1)", self.expression(INT, depth)),
            _ => return self.overflow(ty, depth),
        };
        ty.convert(of_type, &format!("(({of}){text})"))
    }

    fn overflow(&mut self, ty: Type, depth: usize) -> String {
        let [mut a, mut b, mut r] = [(); 3].map(|()| Type::integer(self.chance));
        let is_narrow = |ty: Type| ty.bits < 128;
        if !(is_narrow(a) && is_narrow(b) && is_narrow(r)) {
            (a, b, r) = (INT, INT, INT);
        }
        let op = self.chance.pick(&["add", "sub", "mul"]);
        let (left, right) = (self.expression(a, depth), self.expression(b, depth));
        let text = format!(
            "({{ {} r_; _Bool o_ = __builtin_{op}_overflow({left}, {right}, &r_); (long)r_ ^ ((long)o_ << 9); }})",
            r.name
        );
        ty.convert(Type { name: "long", bits: 64, kind: Kind::Signed }, &text)
    }

    fn float_builtin(&mut self, ty: Type, depth: usize) -> String {
        let (a, b) = (self.expression(DOUBLE, depth), self.expression(DOUBLE, depth));
        let text = match self.chance.below(10) {
            0 => format!("__builtin_fabs({a})"),
            9 => format!("__builtin_fmax(__builtin_fmod({a}, {b}), -1e300)"),
            1 => format!("__builtin_sqrt(__builtin_fabs({a}))"),
            2 => format!("__builtin_floor({a})"),
            3 => format!("__builtin_ceil({a})"),
            4 => format!("__builtin_trunc({a})"),
            5 => format!("__builtin_{}({a})", self.chance.pick(&["rint", "nearbyint", "round"])),
            6 => format!("__builtin_copysign({a}, {b})"),
            7 => format!("__builtin_fmin({a}, {b} + 3.0)"),
            _ => format!("__builtin_fmax(__builtin_fma({a}, {b}, 0.25), -1e300)"),
        };
        ty.convert(DOUBLE, &text)
    }
}

fn modular_bits(ty: Type) -> u32 {
    ty.bits.max(32)
}

//! Shared state of the instrumentation of all functions of a module: the probes, and the callable
//! functions.

use std::{
    cell::RefCell,
    collections::{HashMap, HashSet},
};

use super::{effects::Effects, record::Recording, standing::Standings};
use crate::llvm::{Handle, Opcode, Type, Value};

/// Marks functions that are models of the library's, with the file that they are in.
pub(crate) const MODEL: &str = "plx-model";
/// Marks functions of the probes themselves.
pub(crate) const PROBE: &str = "plx-probe";
/// Marks functions that are instrumented, here or in another group, with their calling convention.
pub(crate) const TWIN: &str = "plx-twin";
pub(crate) const IN_PLACE: &str = "plx-in-place";
/// Marks functions that are only ever called by their names.
pub(crate) const UNESCAPED: &str = "plx-unescaped";

/// How labels are passed into a function and out of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Convention {
    /// As further parameters and results of a twin; the function itself only forwards.
    Twin,
    /// Through thread-local memory: variadic functions, and those that take the addresses of their
    /// blocks, cannot be moved into a twin.
    InPlace,
}

/// A function of the module that is instrumented.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Callee {
    pub(crate) convention: Convention,
    /// The twin, or the function itself.
    pub(crate) target: Value,
}

/// The shared part.
pub(crate) struct Pass {
    pub(crate) handle: Handle,
    pub(crate) effects: Effects,
    pub(crate) standings: Standings,
    pub(crate) recording: Recording,
    pub(crate) callees: HashMap<Value, Callee>,
    /// Variables of the program that another group defines.
    pub(crate) variables: HashSet<Value>,
    names: RefCell<HashMap<String, Value>>,
    probes: RefCell<HashMap<&'static str, (Value, Type)>>,
}

impl Pass {
    pub(crate) fn new(handle: Handle, effects: Effects, standings: Standings) -> Pass {
        Pass {
            handle,
            effects,
            standings,
            recording: Recording::default(),
            callees: HashMap::new(),
            variables: HashSet::new(),
            names: RefCell::default(),
            probes: RefCell::default(),
        }
    }

    /// A probe and its type.
    ///
    /// The probes are linked into the module before anything else is done.
    pub(crate) fn probe(&self, name: &'static str) -> (Value, Type) {
        *self.probes.borrow_mut().entry(name).or_insert_with(|| {
            let probe = self.handle.function(name);
            let probe = probe.unwrap_or_else(|| {
                debug_assert!(false, "no probe is called {name}");
                self.handle.add_function(name, Type::signature(self.handle.void(), &[]))
            });
            (probe, probe.value_type())
        })
    }

    /// A placeholder function for a decision that is only known while weaving.
    pub(crate) fn marker(&self) -> (Value, Type) {
        const NAME: &str = "plx.marker";
        let signature = Type::signature(self.handle.int(1), &[]);
        let marker = self.handle.function(NAME);
        (marker.unwrap_or_else(|| self.handle.add_function(NAME, signature)), signature)
    }

    /// A constant string, interned.
    pub(crate) fn text(&self, text: &str) -> Value {
        *self.names.borrow_mut().entry(text.to_owned()).or_insert_with(|| self.handle.text(text))
    }

    /// The callee of a call, if it is known: the function itself, also behind an alias.
    pub(crate) fn called(&self, call: Value) -> Option<Value> {
        let mut callee = call.callee();
        let mut seen = HashSet::new();
        while let Some(alias) = callee.as_alias() {
            if !seen.insert(alias) {
                return None;
            }
            callee = alias.aliasee();
        }
        callee.as_function()
    }

    /// Whether the result of a call may be symbolic even if its arguments are not.
    pub(crate) fn call_may_be_symbolic(&self, call: Value) -> bool {
        if call.callee().is_inline_assembler() {
            return false;
        }
        match self.called(call) {
            None => true,
            Some(callee) => self.callees.contains_key(&callee) || callee.name() == "plx_with_label",
        }
    }

    /// Whether the result of a call may be symbolic if an argument is: for intrinsics.
    pub(crate) fn call_passes_labels(&self, call: Value) -> bool {
        self.called(call).is_some_and(|callee| callee.name().starts_with("llvm."))
    }

    /// Functions with a body that are to be instrumented.
    pub(crate) fn subjects(&self) -> Vec<Value> {
        let all = self.handle.functions().into_iter();
        all.filter(|function| {
            !function.is_declaration()
                && !function.has_mark(PROBE)
                && !function.has_attribute("naked")
        })
        .collect()
    }
}

/// The convention of a marked function, also if it is elsewhere.
pub(crate) fn announced(function: Value) -> Option<Convention> {
    match function {
        function if function.has_mark(TWIN) => Some(Convention::Twin),
        function if function.has_mark(IN_PLACE) => Some(Convention::InPlace),
        _ => None,
    }
}

/// Chooses the convention of a function.
pub(crate) fn convention(function: Value) -> Convention {
    let jumps_to_addresses = || {
        let blocks = function.blocks();
        blocks.iter().filter_map(|block| block.terminator()).any(|terminator| {
            matches!(terminator.opcode(), Opcode::LLVMIndirectBr | Opcode::LLVMCallBr)
        })
    };
    match function.value_type().is_variadic() || jumps_to_addresses() {
        true => Convention::InPlace,
        false => Convention::Twin,
    }
}

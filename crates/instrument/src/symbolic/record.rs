//! Recording of some functions, for aligning the runs of two versions.
//!
//! A recorded function stays as it was compiled, statement by statement, so that its records are
//! about the variables and lines of the source. Every branch is an event, also a concrete one, and
//! every value that is computed or stored, with its label or without: `y = 2` against `y = 3` has
//! no label. A load also says which record of the trace wrote the memory. Writes of functions that
//! are not recorded are attributed to the call, by recorded code, that led there.

use std::{collections::BTreeSet, ops::Range};

use super::{
    leaf::{bits, is_scalar},
    pass::MODEL,
    weaver::{Fate, Weaver},
};
use crate::llvm::{Handle, Opcode, Value};

/// Marks functions that are recorded.
const RECORDED: &str = "plx-recorded";
/// Keeps passes away from a function, and attributes that conflict with that.
const UNTOUCHED: [&str; 2] = ["noinline", "optnone"];
const IN_THE_WAY: [&str; 3] = ["alwaysinline", "minsize", "optsize"];
/// Library functions with a size argument for the bytes they read: these bytes are no text.
const SIZED: [&str; 6] = ["mem", "fwrite", "write", "pwrite", "send", "bcopy"];

/// The functions to record.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Recording {
    /// Their names in the program as it was compiled.
    pub functions: BTreeSet<String>,
    /// Functions of the program in its normal form that the run to be recorded does not execute. A
    /// group of only these is compiled as if nothing were recorded, which is in the cache.
    pub idle: BTreeSet<String>,
}

impl Recording {
    /// Whether there is anything to record.
    pub fn is_empty(&self) -> bool {
        self.functions.is_empty()
    }

    /// Marks the functions of the program as it was compiled, and keeps passes away from them.
    pub(crate) fn begin(&self, handle: &Handle) {
        let own = self.functions.iter().filter_map(|name| handle.function(name));
        for function in own.filter(|function| !function.is_declaration()) {
            handle.mark(function, RECORDED);
            IN_THE_WAY.iter().for_each(|name| function.remove_attribute(name));
            UNTOUCHED.iter().for_each(|name| handle.add_enum_attribute(function, name));
        }
    }

    /// Lets compilers optimise the woven code.
    pub(crate) fn end(handle: &Handle) {
        let functions = handle.functions().into_iter();
        for function in functions.filter(|function| function.has_mark(RECORDED)) {
            function.remove_attribute("optnone");
        }
    }
}

impl Weaver<'_> {
    fn is_recorded(&self) -> bool {
        self.function.has_mark(RECORDED)
    }

    /// Records the entry of a function.
    pub(crate) fn record_entry(&mut self, first: Value) {
        if self.is_recorded() {
            self.effect("plx_record_enter", &[self.site(first)]);
            self.outer_call = Some(self.probe("plx_save_call", &[]));
        }
    }

    /// Records an instruction before it runs, when the labels of its operands are known.
    pub(crate) fn record_before(&self, instruction: Value) {
        if !self.is_recorded() {
            return;
        }
        let site = self.site(instruction);
        match instruction.opcode() {
            Opcode::LLVMRet => {
                self.effect("plx_record_leave", &[site]);
                if let Some(call) = self.outer_call {
                    self.effect("plx_restore_call", &[call]);
                }
            }
            Opcode::LLVMBr if instruction.is_conditional() => {
                let condition = instruction.operand(0);
                self.effect("plx_record_branch", &[site, self.label(condition), condition]);
            }
            Opcode::LLVMSwitch => {
                let value = instruction.operand(0);
                let width = self.handle.label(bits(value.ty()));
                let number = self.bits_as(value, 64);
                self.effect("plx_record_switch", &[site, self.label(value), number, width]);
            }
            Opcode::LLVMCall => self.record_call(instruction, site),
            _ => {}
        }
    }

    fn record_call(&self, call: Value, site: Value) {
        if call.callee().is_inline_assembler() {
            return self.effect("plx_record_call", &[site]);
        }
        let Some(callee) = self.pass.called(call) else {
            self.effect("plx_record_call", &[site]);
            return self.record_texts(call, site);
        };
        let name = callee.name();
        if let Some(intrinsic) = name.strip_prefix("llvm.") {
            return self.record_intrinsic(call, site, intrinsic);
        }
        self.effect("plx_record_call", &[site]);
        let is_own = self.pass.callees.contains_key(&callee) && !callee.has_mark(MODEL);
        if is_own {
            self.record_texts(call, site);
        } else if !name.starts_with("plx_label") {
            self.record_arguments(call, site, &name);
        }
    }

    /// Records texts that a variadic function may have the library read: its own use of these
    /// arguments leaves no records.
    fn record_texts(&self, call: Value, site: Value) {
        let signature = call.call_signature();
        if !signature.is_variadic() {
            return;
        }
        let arguments = call.arguments();
        let more = arguments.iter().skip(signature.parameters().len());
        for pointer in more.filter(|argument| argument.ty().is_pointer()) {
            self.effect("plx_record_text", &[site, *pointer]);
        }
    }

    /// Records the memory of its arguments that a library function reads.
    fn record_arguments(&self, call: Value, site: Value, name: &str) {
        let plain = name.strip_prefix("plx_model_").unwrap_or(name).trim_start_matches('_');
        if plain == "free" || plain.starts_with("memset") {
            return;
        }
        let arguments = call.arguments();
        let is_sized = SIZED.iter().any(|start| plain.starts_with(start));
        let sizes = arguments.iter().rev().filter(|value| value.ty().is_int() && is_sized);
        // A checked variant takes the size of the object, too; of a size and a count one is 1.
        let sizes = sizes.skip(usize::from(plain.ends_with("_chk")));
        let sizes: Vec<_> = sizes.take(if plain.starts_with("fwrite") { 2 } else { 1 }).collect();
        let is_read = |position: usize| !only_writes(plain).contains(&position);
        let pointers = arguments.iter().enumerate().filter(|(_, it)| it.ty().is_pointer());
        for (_, pointer) in pointers.filter(|(position, _)| is_read(*position)) {
            if sizes.is_empty() {
                self.effect("plx_record_text", &[site, *pointer]);
            }
            for size in &sizes {
                let size = self.bits_as(**size, 64);
                self.effect("plx_record_reads", &[site, *pointer, size]);
            }
        }
    }

    /// Copies of memory are calls, the rest are computations.
    fn record_intrinsic(&self, call: Value, site: Value, name: &str) {
        let copies = name.starts_with("memcpy") || name.starts_with("memmove");
        if !copies && !name.starts_with("memset") {
            return;
        }
        self.effect("plx_record_call", &[site]);
        if copies {
            let size = self.bits_as(call.operand(2), 64);
            self.effect("plx_record_reads", &[site, call.operand(1), size]);
        }
    }

    /// Records an instruction, which may have been replaced, after it ran; `next` follows it.
    pub(crate) fn record(&self, instruction: Value, opcode: Opcode, next: Value) {
        if self.pass.recording.is_empty() {
            return;
        }
        self.builder.before(next);
        match opcode {
            Opcode::LLVMStore => return self.record_store(instruction),
            Opcode::LLVMPHI => self.builder.after_phis(next),
            _ => {}
        }
        match self.fate {
            Fate::Kept => self.record_value(instruction, opcode, instruction),
            Fate::Replaced(value) => self.record_value(instruction, opcode, value),
            Fate::Gone => {}
        }
        match opcode {
            Opcode::LLVMLoad => self.record_read(instruction, instruction.ty()),
            Opcode::LLVMAtomicRMW | Opcode::LLVMAtomicCmpXchg => {
                let stored = instruction.operand(1).ty();
                self.record_read(instruction, stored);
                self.record_stored(instruction.operand(0), stored);
            }
            _ => {}
        }
    }

    fn record_read(&self, instruction: Value, ty: crate::llvm::Type) {
        if self.is_recorded() {
            let size = self.number(64, self.handle.store_size(ty));
            let address = instruction.operand(0);
            self.effect("plx_record_reads", &[self.site(instruction), address, size]);
        }
    }

    fn record_value(&self, place: Value, opcode: Opcode, value: Value) {
        if self.is_recorded() && is_told(opcode) && !value.ty().is_void() {
            match is_scalar(value.ty()) {
                true => self.tell(place, value),
                false if opcode != Opcode::LLVMCall => self.tell_nothing(place),
                false => {}
            }
        }
    }

    fn tell(&self, place: Value, value: Value) {
        let width = self.handle.label(bits(value.ty()));
        let number = self.bits_as(value, 64);
        self.effect("plx_record_value", &[self.site(place), self.label(value), number, width]);
    }

    /// Records an event whose value is no number.
    fn tell_nothing(&self, place: Value) {
        let nothing = self.handle.label(0);
        let number = self.number(64, 0);
        self.effect("plx_record_value", &[self.site(place), nothing, number, nothing]);
    }

    /// Records a store: its value, and the write.
    fn record_store(&self, store: Value) {
        let (value, address) = (store.operand(0), store.operand(1));
        if self.is_recorded() {
            match is_scalar(value.ty()) {
                true => self.tell(store, value),
                false => self.tell_nothing(store),
            }
        }
        self.record_stored(address, value.ty());
    }

    fn record_stored(&self, address: Value, ty: crate::llvm::Type) {
        let size = self.number(64, self.handle.store_size(ty));
        match self.is_recorded() {
            true => self.effect("plx_stored", &[address, size]),
            false => self.record_write(address, size),
        }
    }

    /// Attributes a write of memory to the current call.
    pub(crate) fn record_write(&self, address: Value, size: Value) {
        if !self.pass.recording.is_empty() {
            self.effect("plx_wrote", &[address, size]);
        }
    }
}

/// The arguments through which a library function only writes.
fn only_writes(name: &str) -> Range<usize> {
    const ALL: usize = usize::MAX;
    match name.trim_end_matches("_chk") {
        "memcpy" | "memmove" | "mempcpy" | "memccpy" | "strcpy" | "stpcpy" | "strncpy"
        | "stpncpy" | "strlcpy" | "sprintf" | "snprintf" | "vsprintf" | "vsnprintf"
        | "asprintf" | "vasprintf" | "fgets" | "fread" | "gets" | "getcwd" | "strftime"
        | "time" | "gettimeofday" | "wcscpy" | "wcsncpy" | "wmemcpy" | "swprintf" => 0..1,
        "read" | "pread" | "recv" | "readlink" | "stat" | "lstat" | "fstat" | "clock_gettime"
        | "gmtime_r" | "localtime_r" | "strerror_r" => 1..2,
        "scanf" | "isoc99_scanf" | "isoc23_scanf" => 1..ALL,
        "sscanf" | "fscanf" | "isoc99_sscanf" | "isoc99_fscanf" | "isoc23_sscanf"
        | "isoc23_fscanf" => 2..ALL,
        _ => 0..0,
    }
}

/// Whether a result is recorded: addresses differ between versions independently of the change, and
/// a converted value was recorded already.
fn is_told(opcode: Opcode) -> bool {
    !matches!(
        opcode,
        Opcode::LLVMAlloca
            | Opcode::LLVMGetElementPtr
            | Opcode::LLVMBitCast
            | Opcode::LLVMPtrToInt
            | Opcode::LLVMIntToPtr
            | Opcode::LLVMFreeze
            | Opcode::LLVMExtractValue
            | Opcode::LLVMInsertValue
    )
}

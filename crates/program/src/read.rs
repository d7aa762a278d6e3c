//! From LLVM's module to the model.

use std::{collections::HashMap, ffi::c_char, slice};

use inkwell::{
    basic_block::BasicBlock,
    llvm_sys::{
        core::{
            LLVMAliasGetAliasee, LLVMGetCalledValue, LLVMGetDebugLocColumn,
            LLVMGetDebugLocDirectory, LLVMGetDebugLocFilename, LLVMGetDebugLocLine,
            LLVMGetNumSuccessors, LLVMGetSuccessor, LLVMIsAGlobalAlias,
        },
        prelude::{LLVMBasicBlockRef, LLVMValueRef},
    },
    module::Linkage,
    values::{AnyValue, AsValueRef, FunctionValue, InstructionOpcode, InstructionValue},
};

use crate::{
    model::{
        Block, BlockId, Function, FunctionId, Global, Instruction, Location, Opcode, Program,
        SiteId,
    },
    module::Module,
};

impl Program {
    /// Reads the model of a whole program.
    pub fn read(module: &Module) -> Program {
        let llvm = module.llvm();
        let ids = llvm
            .get_functions()
            .zip(0..)
            .map(|(function, id)| (function.as_value_ref(), FunctionId(id)));
        let mut reader =
            Reader { functions: ids.collect(), files: HashMap::new(), names: Vec::new(), sites: 0 };
        let functions = llvm.get_functions().map(|function| reader.function(function)).collect();
        let globals = llvm.get_globals().map(|global| Global {
            name: global.get_name().to_string_lossy().into_owned(),
            constant: global.is_constant(),
            // As LLVM writes it: what `to_string` gives has escapes of its own.
            initializer: global
                .get_initializer()
                .map(|value| value.print_to_string().to_string_lossy().into_owned()),
        });
        Program { functions, globals: globals.collect(), files: reader.names }
    }
}

struct Reader {
    functions: HashMap<LLVMValueRef, FunctionId>,
    files: HashMap<Vec<u8>, u32>,
    names: Vec<String>,
    sites: u32,
}

impl Reader {
    fn function(&mut self, function: FunctionValue<'_>) -> Function {
        let blocks: HashMap<LLVMBasicBlockRef, BlockId> = function
            .get_basic_block_iter()
            .zip(0..)
            .map(|(block, id)| (block.as_mut_ptr(), BlockId(id)))
            .collect();
        Function {
            name: function.get_name().to_string_lossy().into_owned(),
            external: !matches!(function.get_linkage(), Linkage::Internal | Linkage::Private),
            location: self.location(function.as_value_ref()),
            blocks: function
                .get_basic_block_iter()
                .map(|block| self.block(block, &blocks))
                .collect(),
        }
    }

    fn block(
        &mut self,
        block: BasicBlock<'_>,
        blocks: &HashMap<LLVMBasicBlockRef, BlockId>,
    ) -> Block {
        let terminator = block.get_terminator();
        let successors = terminator.map(successors).unwrap_or_default();
        Block {
            cases: terminator.map(cases).unwrap_or_default(),
            instructions: block
                .get_instructions()
                .map(|instruction| self.instruction(instruction))
                .collect(),
            successors: successors.iter().filter_map(|block| blocks.get(block).copied()).collect(),
        }
    }

    fn instruction(&mut self, instruction: InstructionValue<'_>) -> Instruction {
        let site = SiteId(self.sites);
        self.sites += 1;
        let opcode = opcode(instruction.get_opcode());
        Instruction {
            site,
            opcode,
            location: self.location(instruction.as_value_ref()),
            callee: self.callee(instruction, opcode),
        }
    }

    fn callee(&self, instruction: InstructionValue<'_>, opcode: Opcode) -> Option<FunctionId> {
        if !matches!(opcode, Opcode::Call | Opcode::Invoke | Opcode::CallBr) {
            return None;
        }
        // SAFETY: the instruction is a call of some kind, as just checked.
        let called = unsafe { LLVMGetCalledValue(instruction.as_value_ref()) };
        let called = aliased(called);
        self.functions.get(&called).copied()
    }

    fn location(&mut self, value: LLVMValueRef) -> Option<Location> {
        let (path, line, column) = source_of(value)?;
        Some(Location { file: self.file(path), line, column })
    }

    fn file(&mut self, path: Vec<u8>) -> u32 {
        let next = self.names.len() as u32;
        let Some(&known) = self.files.get(&path) else {
            self.names.push(String::from_utf8_lossy(&path).into_owned());
            self.files.insert(path, next);
            return next;
        };
        known
    }
}

/// Where an instruction comes from, as people write it: `src/cut.c:12:5`.
pub fn place_of(instruction: InstructionValue<'_>) -> Option<String> {
    let (path, line, column) = source_of(instruction.as_value_ref())?;
    Some(format!("{}:{line}:{column}", String::from_utf8_lossy(&path)))
}

/// The file, line and column that an instruction or a function comes from.
/// The function behind an alias.
fn aliased(mut called: LLVMValueRef) -> LLVMValueRef {
    // SAFETY: what is called is a value of the module, and only aliases are asked for an aliasee;
    // the verifier refuses those that lead back to themselves.
    unsafe {
        while !LLVMIsAGlobalAlias(called).is_null() {
            called = LLVMAliasGetAliasee(called);
        }
    }
    called
}

fn source_of(value: LLVMValueRef) -> Option<(Vec<u8>, u32, u32)> {
    // SAFETY: the value is an instruction or a function, which these accept; without debug
    // information they return nothing.
    let (line, column, name, folder) = unsafe {
        (
            LLVMGetDebugLocLine(value),
            LLVMGetDebugLocColumn(value),
            text(value, LLVMGetDebugLocFilename),
            text(value, LLVMGetDebugLocDirectory),
        )
    };
    let name = name?;
    let mut path = folder.filter(|_| !name.starts_with(b"/")).unwrap_or_default();
    if !path.is_empty() {
        path.push(b'/');
    }
    path.extend(name);
    Some((path, line, column))
}

/// The text that one of LLVM's debug location functions gives for a value.
///
/// # Safety
/// `value` must be of a kind that `get` accepts.
unsafe fn text(
    value: LLVMValueRef,
    get: unsafe extern "C" fn(LLVMValueRef, *mut u32) -> *const c_char,
) -> Option<Vec<u8>> {
    let mut length = 0;
    // SAFETY: the caller vouches for `value`; `length` is ours.
    let start = unsafe { get(value, &raw mut length) };
    if start.is_null() {
        return None;
    }
    // SAFETY: LLVM says that so many bytes are there, owned by the module, which outlives the copy.
    Some(unsafe { slice::from_raw_parts(start.cast::<u8>(), length as usize) }.to_vec())
}

/// The values of a switch, which alternate with its successors among the operands.
fn cases(terminator: InstructionValue<'_>) -> Vec<u64> {
    if terminator.get_opcode() != InstructionOpcode::Switch {
        return Vec::new();
    }
    let operands = (2..terminator.get_num_operands()).step_by(2);
    let values = operands.filter_map(|index| terminator.get_operand(index)?.value());
    values.filter_map(|value| value.into_int_value().get_zero_extended_constant()).collect()
}

fn successors(terminator: InstructionValue<'_>) -> Vec<LLVMBasicBlockRef> {
    let value = terminator.as_value_ref();
    // SAFETY: the value is a terminator and every index is below its number of successors.
    unsafe {
        (0..LLVMGetNumSuccessors(value)).map(|index| LLVMGetSuccessor(value, index)).collect()
    }
}

fn opcode(opcode: InstructionOpcode) -> Opcode {
    use InstructionOpcode as L;
    match opcode {
        L::Return => Opcode::Ret,
        L::Br => Opcode::Br,
        L::Switch => Opcode::Switch,
        L::IndirectBr => Opcode::IndirectBr,
        L::Invoke => Opcode::Invoke,
        L::Unreachable => Opcode::Unreachable,
        L::CallBr => Opcode::CallBr,
        L::Add => Opcode::Add,
        L::FAdd => Opcode::FAdd,
        L::Sub => Opcode::Sub,
        L::FSub => Opcode::FSub,
        L::Mul => Opcode::Mul,
        L::FMul => Opcode::FMul,
        L::UDiv => Opcode::UDiv,
        L::SDiv => Opcode::SDiv,
        L::FDiv => Opcode::FDiv,
        L::URem => Opcode::URem,
        L::SRem => Opcode::SRem,
        L::FRem => Opcode::FRem,
        L::FNeg => Opcode::FNeg,
        L::Shl => Opcode::Shl,
        L::LShr => Opcode::LShr,
        L::AShr => Opcode::AShr,
        L::And => Opcode::And,
        L::Or => Opcode::Or,
        L::Xor => Opcode::Xor,
        L::Alloca => Opcode::Alloca,
        L::Load => Opcode::Load,
        L::Store => Opcode::Store,
        L::GetElementPtr => Opcode::GetElementPtr,
        L::Fence => Opcode::Fence,
        L::AtomicCmpXchg => Opcode::AtomicCmpXchg,
        L::AtomicRMW => Opcode::AtomicRmw,
        L::Trunc => Opcode::Trunc,
        L::ZExt => Opcode::ZExt,
        L::SExt => Opcode::SExt,
        L::FPToUI => Opcode::FpToUi,
        L::FPToSI => Opcode::FpToSi,
        L::UIToFP => Opcode::UiToFp,
        L::SIToFP => Opcode::SiToFp,
        L::FPTrunc => Opcode::FpTrunc,
        L::FPExt => Opcode::FpExt,
        L::PtrToInt => Opcode::PtrToInt,
        L::IntToPtr => Opcode::IntToPtr,
        L::BitCast => Opcode::BitCast,
        L::AddrSpaceCast => Opcode::AddrSpaceCast,
        L::ICmp => Opcode::ICmp,
        L::FCmp => Opcode::FCmp,
        L::Phi => Opcode::Phi,
        L::Call => Opcode::Call,
        L::Select => Opcode::Select,
        L::VAArg => Opcode::VaArg,
        L::ExtractElement => Opcode::ExtractElement,
        L::InsertElement => Opcode::InsertElement,
        L::ShuffleVector => Opcode::ShuffleVector,
        L::ExtractValue => Opcode::ExtractValue,
        L::InsertValue => Opcode::InsertValue,
        L::Freeze => Opcode::Freeze,
        _ => Opcode::Other,
    }
}

//! From LLVM's module to the model.

mod frame;
mod names;
mod value;

use std::{
    collections::{HashMap, HashSet},
    ffi::c_char,
    slice,
};

use inkwell::{
    attributes::AttributeLoc,
    basic_block::BasicBlock,
    llvm_sys::{
        LLVMIntPredicate, LLVMRealPredicate,
        core::{
            LLVMAliasGetAliasee, LLVMCanValueUseFastMathFlags, LLVMGetAllocatedType,
            LLVMGetCallSiteEnumAttribute, LLVMGetCalledFunctionType, LLVMGetCalledValue,
            LLVMGetDebugLocColumn, LLVMGetDebugLocDirectory, LLVMGetDebugLocFilename,
            LLVMGetDebugLocLine, LLVMGetEnumAttributeKindForName, LLVMGetExact,
            LLVMGetFCmpPredicate, LLVMGetFastMathFlags, LLVMGetICmpPredicate, LLVMGetIncomingBlock,
            LLVMGetIndices, LLVMGetNSW, LLVMGetNUW, LLVMGetNumIndices, LLVMGetNumOperands,
            LLVMGetNumSuccessors, LLVMGetOperand, LLVMGetSuccessor, LLVMGetVolatile,
            LLVMGlobalGetValueType, LLVMIsAGlobalAlias, LLVMPrintValueToString, LLVMTypeOf,
        },
        prelude::{LLVMBasicBlockRef, LLVMValueRef},
        target::LLVMGetModuleDataLayout,
    },
    module::Linkage,
    values::{AsValueRef, FunctionValue, GlobalValue, InstructionOpcode, InstructionValue},
};

use parallax_program::{
    Block, BlockId, Detail, Function, FunctionId, Global, GlobalId, Instruction, Location, Opcode,
    Operand, Program, SiteId,
};

use self::{
    names::names_of_locals,
    value::{Values, text_of},
};
use crate::{
    module::Module,
    origin::{MARK, origin},
};

impl Module {
    /// Reads the model of the program.
    pub fn program(&self) -> Program {
        let llvm = self.llvm();
        let names = names_of_locals(llvm);
        let functions = llvm.get_functions().zip(0..);
        let functions = functions.map(|(it, id)| (it.as_value_ref(), FunctionId(id))).collect();
        let globals = llvm.get_globals().zip(0..);
        let globals = globals.map(|(it, id)| (it.as_value_ref(), GlobalId(id))).collect();
        // SAFETY: the layout is the module's own, which outlives the reader.
        let values =
            unsafe { Values::new(LLVMGetModuleDataLayout(llvm.as_mut_ptr()), functions, globals) };
        let mark = llvm.get_context().get_kind_id(MARK);
        let mut reader =
            Reader { values, names, files: HashMap::new(), paths: Vec::new(), sites: 0, mark };
        let frame = frame::of(llvm);
        let globals = llvm.get_globals().map(|global| reader.global(global)).collect();
        let functions = llvm.get_functions().map(|function| reader.function(function)).collect();
        let Reader { values, paths: files, .. } = reader;
        let Values { types, constants, .. } = values;
        let mut program = Program { functions, globals, constants, types, files, frame };
        mark_taken_addresses(&mut program);
        program
    }
}

/// Marks functions whose address is taken.
fn mark_taken_addresses(program: &mut Program) {
    let mut taken = HashSet::new();
    let held = program.constants.iter().flat_map(|constant| &constant.addresses);
    taken.extend(held.map(|address| address.base));
    for instruction in program.instructions() {
        let used = match instruction.callee {
            Some(_) => &instruction.operands[..instruction.operands.len() - 1],
            None => &instruction.operands[..],
        };
        taken.extend(used.iter().copied());
    }
    for (id, function) in (0..).zip(&mut program.functions) {
        function.address_taken = taken.contains(&Operand::Function(FunctionId(id)));
    }
}

struct Reader {
    values: Values,
    /// Names of local variables in memory.
    names: HashMap<LLVMValueRef, String>,
    files: HashMap<Vec<u8>, u32>,
    paths: Vec<String>,
    sites: u32,
    /// The metadata kind of the mark.
    mark: u32,
}

/// The values and blocks of one function.
struct Inside {
    blocks: HashMap<LLVMBasicBlockRef, BlockId>,
    sites: HashMap<LLVMValueRef, SiteId>,
    parameters: HashMap<LLVMValueRef, u32>,
}

impl Reader {
    fn global(&mut self, global: GlobalValue<'_>) -> Global {
        let initializer = global.get_initializer();
        // SAFETY: a global variable has a type.
        let kind = unsafe { LLVMGlobalGetValueType(global.as_value_ref()) };
        Global {
            name: global.get_name().to_string_lossy().into_owned(),
            external: is_external(global.get_linkage()),
            constant: global.is_constant(),
            location: self.location(global.as_value_ref()),
            initializer: initializer.map(|value| self.values.constant_id(value.as_value_ref())),
            size: self.values.size(kind),
        }
    }

    fn function(&mut self, function: FunctionValue<'_>) -> Function {
        let blocks = function.get_basic_block_iter().zip(0..);
        let instructions =
            function.get_basic_block_iter().flat_map(|block| block.get_instructions());
        // Intrinsics of floating-point arithmetic with a rounding mode take metadata, which is no
        // value.
        let has_body = function.count_basic_blocks() > 0;
        let parameters = has_body.then(|| function.get_param_iter()).into_iter().flatten().zip(0..);
        let inside = Inside {
            blocks: blocks.map(|(block, id)| (block.as_mut_ptr(), BlockId(id))).collect(),
            sites: instructions
                .zip(self.sites..)
                .map(|(it, id)| (it.as_value_ref(), SiteId(id)))
                .collect(),
            parameters: parameters.map(|(it, index)| (it.as_value_ref(), index)).collect(),
        };
        // SAFETY: a function has a type.
        let kind = unsafe { LLVMGlobalGetValueType(function.as_value_ref()) };
        let no_return = function.get_enum_attribute(AttributeLoc::Function, kind_of(NO_RETURN));
        Function {
            name: function.get_name().to_string_lossy().into_owned(),
            external: is_external(function.get_linkage()),
            borrowed: function.get_linkage() == Linkage::AvailableExternally,
            location: self.location(function.as_value_ref()),
            signature: self.values.kind(kind),
            parameters: function.count_params(),
            no_return: no_return.is_some(),
            address_taken: false,
            blocks: function
                .get_basic_block_iter()
                .map(|block| self.block(block, &inside))
                .collect(),
        }
    }

    fn block(&mut self, block: BasicBlock<'_>, inside: &Inside) -> Block {
        let terminator = block.get_terminator();
        let successors = terminator.map(successors).unwrap_or_default();
        let known = |block| inside.blocks.get(block).copied();
        Block {
            cases: terminator.map(cases).unwrap_or_default(),
            instructions: block
                .get_instructions()
                .map(|instruction| self.instruction(instruction, inside))
                .collect(),
            successors: successors.iter().filter_map(known).collect(),
        }
    }

    fn instruction(&mut self, instruction: InstructionValue<'_>, inside: &Inside) -> Instruction {
        let site = SiteId(self.sites);
        self.sites += 1;
        let opcode = opcode(instruction.get_opcode());
        let value = instruction.as_value_ref();
        // SAFETY: an instruction has operands and a type.
        let (count, kind) = unsafe { (LLVMGetNumOperands(value) as u32, LLVMTypeOf(value)) };
        // The block holds the targets of a jump.
        let count = match opcode {
            Opcode::Br => u32::from(count == 3),
            Opcode::Switch | Opcode::IndirectBr => 1,
            _ => count,
        };
        let detail = self.detail(value, opcode, inside);
        let operands = (0..count).map(|index| {
            // SAFETY: the index is below the number of operands.
            self.operand(unsafe { LLVMGetOperand(value, index) }, inside)
        });
        let operands = operands.collect();
        Instruction {
            site,
            origin: origin(instruction, self.mark),
            opcode,
            location: self.location(value),
            callee: self.callee(instruction, opcode),
            operands,
            result: self.values.kind(kind),
            detail,
        }
    }

    fn operand(&mut self, value: LLVMValueRef, inside: &Inside) -> Operand {
        let local = inside.sites.get(&value).copied().map(Operand::Site);
        let local =
            local.or_else(|| inside.parameters.get(&value).copied().map(Operand::Parameter));
        local.or_else(|| self.values.constant(value)).unwrap_or(Operand::Other)
    }

    fn detail(&mut self, value: LLVMValueRef, opcode: Opcode, inside: &Inside) -> Detail {
        // SAFETY: the value is an instruction, and each question is asked of the kinds of
        // instructions that LLVM answers it for.
        unsafe {
            match opcode {
                Opcode::Add | Opcode::Sub | Opcode::Mul | Opcode::Shl => {
                    Detail::Flags((LLVMGetNSW(value) << 1 | LLVMGetNUW(value)) as u8)
                }
                Opcode::UDiv | Opcode::SDiv | Opcode::LShr | Opcode::AShr => {
                    Detail::Flags(LLVMGetExact(value) as u8)
                }
                Opcode::FAdd
                | Opcode::FSub
                | Opcode::FMul
                | Opcode::FDiv
                | Opcode::FRem
                | Opcode::FNeg => match LLVMCanValueUseFastMathFlags(value) {
                    0 => Detail::None,
                    _ => Detail::Flags(LLVMGetFastMathFlags(value) as u8),
                },
                Opcode::ICmp => Detail::Predicate(of_integers(LLVMGetICmpPredicate(value))),
                Opcode::FCmp => Detail::Predicate(of_reals(LLVMGetFCmpPredicate(value))),
                Opcode::Load => self.access(value, LLVMTypeOf(value)),
                Opcode::Store => self.access(value, LLVMTypeOf(LLVMGetOperand(value, 0))),
                Opcode::Alloca => Detail::Local {
                    size: self.values.size(LLVMGetAllocatedType(value)),
                    name: self.names.get(&value).cloned(),
                },
                Opcode::GetElementPtr => {
                    let steps = self.values.steps(value);
                    Detail::Address {
                        offset: steps.offset,
                        strides: steps.strides,
                        element: steps.element,
                    }
                }
                Opcode::Call | Opcode::Invoke | Opcode::CallBr => {
                    let attribute =
                        LLVMGetCallSiteEnumAttribute(value, u32::MAX, kind_of(NO_RETURN));
                    Detail::Call {
                        signature: self.values.kind(LLVMGetCalledFunctionType(value)),
                        no_return: !attribute.is_null(),
                    }
                }
                Opcode::Phi => {
                    let count = LLVMGetNumOperands(value) as u32;
                    let blocks = (0..count).map(|index| LLVMGetIncomingBlock(value, index));
                    Detail::Incoming(
                        blocks.filter_map(|block| inside.blocks.get(&block).copied()).collect(),
                    )
                }
                Opcode::ExtractValue | Opcode::InsertValue => {
                    let count = LLVMGetNumIndices(value) as usize;
                    Detail::Indices(slice::from_raw_parts(LLVMGetIndices(value), count).to_vec())
                }
                Opcode::AtomicRmw
                | Opcode::AtomicCmpXchg
                | Opcode::Fence
                | Opcode::ShuffleVector
                | Opcode::Other => Detail::Text(operation(&text_of(LLVMPrintValueToString(value)))),
                _ => Detail::None,
            }
        }
    }

    /// # Safety
    /// `value` must be a load or a store.
    unsafe fn access(
        &self,
        value: LLVMValueRef,
        kind: inkwell::llvm_sys::prelude::LLVMTypeRef,
    ) -> Detail {
        // SAFETY: the caller vouches for the value.
        let volatile = unsafe { LLVMGetVolatile(value) } != 0;
        Detail::Access { size: self.values.size(kind), volatile }
    }

    fn callee(&self, instruction: InstructionValue<'_>, opcode: Opcode) -> Option<FunctionId> {
        if !matches!(opcode, Opcode::Call | Opcode::Invoke | Opcode::CallBr) {
            return None;
        }
        // SAFETY: the instruction is a call of some kind, as just checked.
        let called = unsafe { LLVMGetCalledValue(instruction.as_value_ref()) };
        let called = aliased(called);
        self.values.functions.get(&called).copied()
    }

    fn location(&mut self, value: LLVMValueRef) -> Option<Location> {
        let (path, line, column) = source_of(value)?;
        Some(Location { file: self.file(path), line, column })
    }

    fn file(&mut self, path: Vec<u8>) -> u32 {
        let next = self.paths.len() as u32;
        let Some(&known) = self.files.get(&path) else {
            self.paths.push(String::from_utf8_lossy(&path).into_owned());
            self.files.insert(path, next);
            return next;
        };
        known
    }
}

const NO_RETURN: &str = "noreturn";

/// LLVM's number for an attribute.
fn kind_of(attribute: &str) -> u32 {
    // SAFETY: the name is as long as it says.
    unsafe { LLVMGetEnumAttributeKindForName(attribute.as_ptr().cast(), attribute.len()) }
}

fn is_external(linkage: Linkage) -> bool {
    !matches!(linkage, Linkage::Internal | Linkage::Private)
}

/// The operation of an instruction as LLVM writes it, without its operands, whose numbers mean
/// nothing, and without facts that are only known about it.
fn operation(text: &str) -> String {
    let text = text.split_once(" = ").map_or(text, |(_, right)| right);
    let words = text.split([' ', ',']).filter(|word| !word.starts_with(['%', '@', '!']));
    words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

fn of_integers(predicate: LLVMIntPredicate) -> &'static str {
    use LLVMIntPredicate as P;
    match predicate {
        P::LLVMIntEQ => "eq",
        P::LLVMIntNE => "ne",
        P::LLVMIntUGT => "ugt",
        P::LLVMIntUGE => "uge",
        P::LLVMIntULT => "ult",
        P::LLVMIntULE => "ule",
        P::LLVMIntSGT => "sgt",
        P::LLVMIntSGE => "sge",
        P::LLVMIntSLT => "slt",
        P::LLVMIntSLE => "sle",
    }
}

fn of_reals(predicate: LLVMRealPredicate) -> &'static str {
    use LLVMRealPredicate as P;
    match predicate {
        P::LLVMRealPredicateFalse => "false",
        P::LLVMRealOEQ => "oeq",
        P::LLVMRealOGT => "ogt",
        P::LLVMRealOGE => "oge",
        P::LLVMRealOLT => "olt",
        P::LLVMRealOLE => "ole",
        P::LLVMRealONE => "one",
        P::LLVMRealORD => "ord",
        P::LLVMRealUNO => "uno",
        P::LLVMRealUEQ => "ueq",
        P::LLVMRealUGT => "ugt",
        P::LLVMRealUGE => "uge",
        P::LLVMRealULT => "ult",
        P::LLVMRealULE => "ule",
        P::LLVMRealUNE => "une",
        P::LLVMRealPredicateTrue => "true",
    }
}

/// Where an instruction comes from, as people write it: `src/cut.c:12:5`.
pub fn place_of(instruction: InstructionValue<'_>) -> Option<String> {
    let (path, line, column) = source_of(instruction.as_value_ref())?;
    Some(format!("{}:{line}:{column}", String::from_utf8_lossy(&path)))
}

/// The function or variable behind an alias.
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

/// The file, line and column that an instruction, a function or a global comes from.
fn source_of(value: LLVMValueRef) -> Option<(Vec<u8>, u32, u32)> {
    // SAFETY: the value is an instruction, a function or a global, which these accept; without debug
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

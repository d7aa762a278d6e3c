//! Attributes of functions and calls.

use std::ptr;

use inkwell::llvm_sys::{core::*, prelude::LLVMAttributeRef};

use super::{Handle, Type, Value};

/// The index of attributes of the function itself.
const FUNCTION_INDEX: u32 = u32::MAX;

impl Handle {
    /// `memory(inaccessiblemem: readwrite)` and similar: memory effects of a probe's cold half.
    pub(crate) fn set_memory_effects(&self, function: Value, encoded: u64) {
        let name = "memory";
        let kind = seam!(LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len()));
        let attribute = seam!(LLVMCreateEnumAttribute(self.context, kind, encoded));
        seam!(LLVMAddAttributeAtIndex(function.0, FUNCTION_INDEX, attribute));
    }

    /// Sets a string attribute of a function.
    pub(crate) fn mark(&self, function: Value, name: &str) {
        self.mark_as(function, name, "");
    }

    /// The same with a value.
    pub(crate) fn mark_as(&self, function: Value, name: &str, text: &str) {
        let attribute = seam!(LLVMCreateStringAttribute(
            self.context,
            name.as_ptr().cast(),
            name.len() as u32,
            text.as_ptr().cast(),
            text.len() as u32
        ));
        seam!(LLVMAddAttributeAtIndex(function.0, FUNCTION_INDEX, attribute));
    }

    pub(crate) fn add_enum_attribute(&self, function: Value, name: &str) {
        let kind = seam!(LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len()));
        let attribute = seam!(LLVMCreateEnumAttribute(self.context, kind, 0));
        seam!(LLVMAddAttributeAtIndex(function.0, FUNCTION_INDEX, attribute));
    }
}

impl Value {
    pub(crate) fn has_attribute(self, name: &str) -> bool {
        let kind = seam!(LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len()));
        !seam!(LLVMGetEnumAttributeAtIndex(self.0, FUNCTION_INDEX, kind)).is_null()
    }

    pub(crate) fn has_mark(self, name: &str) -> bool {
        let length = name.len() as u32;
        let found = seam!(LLVMGetStringAttributeAtIndex(
            self.0,
            FUNCTION_INDEX,
            name.as_ptr().cast(),
            length
        ));
        !found.is_null()
    }

    /// The type of a parameter that is passed in memory.
    pub(crate) fn by_value(self, index: u32) -> Option<Type> {
        let attribute = self.type_attribute(index, "byval", Value::attribute_of_parameter);
        attribute.map(|attribute| Type(seam!(LLVMGetTypeAttributeValue(attribute))))
    }

    /// The same for an argument of a call.
    pub(crate) fn argument_by_value(self, index: u32) -> Option<Type> {
        let attribute = self.type_attribute(index, "byval", Value::attribute_of_argument);
        attribute.map(|attribute| Type(seam!(LLVMGetTypeAttributeValue(attribute))))
    }

    /// The alignment attribute of an argument of a call, or 0.
    pub(crate) fn argument_alignment(self, index: u32) -> u64 {
        let attribute = self.type_attribute(index, "align", Value::attribute_of_argument);
        attribute.map_or(0, |attribute| seam!(LLVMGetEnumAttributeValue(attribute)))
    }

    fn type_attribute(
        self,
        index: u32,
        name: &str,
        find: fn(Value, u32, u32) -> LLVMAttributeRef,
    ) -> Option<LLVMAttributeRef> {
        let kind = seam!(LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len()));
        let attribute = find(self, index + 1, kind);
        (!attribute.is_null()).then_some(attribute)
    }

    fn attribute_of_parameter(self, index: u32, kind: u32) -> LLVMAttributeRef {
        seam!(LLVMGetEnumAttributeAtIndex(self.0, index, kind))
    }

    fn attribute_of_argument(self, index: u32, kind: u32) -> LLVMAttributeRef {
        seam!(LLVMGetCallSiteEnumAttribute(self.0, index, kind))
    }

    /// Copies the attributes of `other`: its own and those of its parameters, and with `result`
    /// those of its result.
    pub(crate) fn copy_attributes(self, other: Value, result: bool) {
        let parameters = 1..=seam!(LLVMCountParams(other.0));
        for index in parameters.chain([FUNCTION_INDEX]).chain(result.then_some(0)) {
            let count = seam!(LLVMGetAttributeCountAtIndex(other.0, index)) as usize;
            let mut attributes = vec![ptr::null_mut(); count];
            seam!(LLVMGetAttributesAtIndex(other.0, index, attributes.as_mut_ptr()));
            for attribute in attributes {
                seam!(LLVMAddAttributeAtIndex(self.0, index, attribute));
            }
        }
        seam!(LLVMSetFunctionCallConv(self.0, LLVMGetFunctionCallConv(other.0)));
    }

    /// Whether a function, its result or a parameter has other attributes than these.
    pub(crate) fn promises_more_than(self, known: &[&str]) -> bool {
        let places = 0..=seam!(LLVMCountParams(self.0));
        places.chain([FUNCTION_INDEX]).any(|index| {
            let count = seam!(LLVMGetAttributeCountAtIndex(self.0, index)) as usize;
            let mut attributes = vec![ptr::null_mut(); count];
            seam!(LLVMGetAttributesAtIndex(self.0, index, attributes.as_mut_ptr()));
            is_more_than(&attributes, known)
        })
    }

    /// The same for a call.
    pub(crate) fn call_promises_more_than(self, known: &[&str]) -> bool {
        let places = 0..=seam!(LLVMGetNumArgOperands(self.0));
        places.chain([FUNCTION_INDEX]).any(|index| {
            let count = seam!(LLVMGetCallSiteAttributeCount(self.0, index)) as usize;
            let mut attributes = vec![ptr::null_mut(); count];
            seam!(LLVMGetCallSiteAttributes(self.0, index, attributes.as_mut_ptr()));
            is_more_than(&attributes, known)
        })
    }

    /// The text of a string attribute of this function.
    pub(crate) fn mark_text(self, name: &str) -> Option<String> {
        let (start, length) = (name.as_ptr().cast(), name.len() as u32);
        let found = seam!(LLVMGetStringAttributeAtIndex(self.0, FUNCTION_INDEX, start, length));
        if found.is_null() {
            return None;
        }
        let mut length = 0;
        let text = seam!(LLVMGetStringAttributeValue(found, &mut length));
        let bytes = seam!(std::slice::from_raw_parts(text.cast::<u8>(), length as usize));
        Some(String::from_utf8_lossy(bytes).into_owned())
    }

    /// Removes attributes of this function, of its result and of its parameters.
    pub(crate) fn remove_everywhere(self, names: &[&str]) {
        let places = 0..=seam!(LLVMCountParams(self.0));
        for index in places.chain([FUNCTION_INDEX]) {
            for name in names {
                let kind = seam!(LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len()));
                seam!(LLVMRemoveEnumAttributeAtIndex(self.0, index, kind));
            }
        }
    }

    /// The same for a call.
    pub(crate) fn remove_from_call(self, names: &[&str]) {
        let places = 0..=seam!(LLVMGetNumArgOperands(self.0));
        for index in places.chain([FUNCTION_INDEX]) {
            for name in names {
                let kind = seam!(LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len()));
                seam!(LLVMRemoveCallSiteEnumAttribute(self.0, index, kind));
            }
        }
    }

    pub(crate) fn remove_attribute(self, name: &str) {
        let kind = seam!(LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len()));
        seam!(LLVMRemoveEnumAttributeAtIndex(self.0, FUNCTION_INDEX, kind));
    }

    /// Copies the attributes of another call's arguments to this call.
    pub(crate) fn copy_argument_attributes(self, call: Value) {
        for index in 1..=seam!(LLVMGetNumArgOperands(call.0)) {
            let count = seam!(LLVMGetCallSiteAttributeCount(call.0, index)) as usize;
            let mut attributes = vec![ptr::null_mut(); count];
            seam!(LLVMGetCallSiteAttributes(call.0, index, attributes.as_mut_ptr()));
            for attribute in attributes {
                seam!(LLVMAddCallSiteAttribute(self.0, index, attribute));
            }
        }
        seam!(LLVMSetInstructionCallConv(self.0, LLVMGetInstructionCallConv(call.0)));
    }

    /// Copies the attributes of the callee's parameters to this call.
    pub(crate) fn copy_parameter_attributes(self, callee: Value) {
        for index in 1..=seam!(LLVMCountParams(callee.0)) {
            let count = seam!(LLVMGetAttributeCountAtIndex(callee.0, index)) as usize;
            let mut attributes = vec![ptr::null_mut(); count];
            seam!(LLVMGetAttributesAtIndex(callee.0, index, attributes.as_mut_ptr()));
            for attribute in attributes {
                seam!(LLVMAddCallSiteAttribute(self.0, index, attribute));
            }
        }
        seam!(LLVMSetInstructionCallConv(self.0, LLVMGetFunctionCallConv(callee.0)));
    }
}

/// Whether there are other attributes than these and than texts for the target. Those for results
/// and arguments in memory come from the compiler.
fn is_more_than(attributes: &[LLVMAttributeRef], known: &[&str]) -> bool {
    let kind =
        |name: &str| seam!(LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len()));
    let kinds: Vec<u32> = attributes
        .iter()
        .filter(|attribute| seam!(LLVMIsStringAttribute(**attribute)) == 0)
        .map(|attribute| seam!(LLVMGetEnumAttributeKind(*attribute)))
        .collect();
    let is_room = ["sret", "byval"].iter().any(|name| kinds.contains(&kind(name)));
    !is_room && kinds.iter().any(|it| !known.iter().any(|name| kind(name) == *it))
}

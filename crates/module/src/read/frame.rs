//! The parts of a module besides instructions and initial values.

use inkwell::{
    attributes::{Attribute, AttributeLoc},
    module::Module as LlvmModule,
    values::{FunctionValue, GlobalValue},
};

use parallax_program::Frame;

use crate::symbol::assembler;

/// The frame of a whole program.
pub(super) fn of(module: &LlvmModule<'_>) -> Frame {
    Frame {
        assembler: String::from_utf8_lossy(&assembler(module)).into_owned(),
        functions: module.get_functions().map(of_function).collect(),
        globals: module.get_globals().map(of_global).collect(),
    }
}

fn of_function(function: FunctionValue<'_>) -> String {
    let parameters = (0..function.count_params()).map(AttributeLoc::Param);
    let places = [AttributeLoc::Function, AttributeLoc::Return].into_iter().chain(parameters);
    let at = |place| function.attributes(place).into_iter().map(text).collect::<Vec<_>>().join(" ");
    places.map(at).collect::<Vec<_>>().join(";")
}

fn text(attribute: Attribute) -> String {
    match attribute.is_string() {
        true => {
            let (name, value) = (attribute.get_string_kind_id(), attribute.get_string_value());
            format!("{}={}", name.to_string_lossy(), value.to_string_lossy())
        }
        // The signature distinguishes types.
        false if attribute.is_type() => "type".to_owned(),
        false => format!("{}={}", attribute.get_enum_kind_id(), attribute.get_enum_value()),
    }
}

fn of_global(global: GlobalValue<'_>) -> String {
    let section = global.get_section().map(|name| name.to_string_lossy().into_owned());
    let own = if global.is_thread_local() { "thread" } else { "" };
    format!("{own}{}", section.unwrap_or_default())
}

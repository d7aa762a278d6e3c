//! The whole program as one LLVM module.
//!
//! Each image (the executable, a shared library) is linked on its own first, because symbols that
//! are hidden in one library are not those of the same name in another; then the images are linked
//! in the order in which the loader searches them. Where two define the same symbol the first
//! wins, as it does at run time.

use std::{
    collections::BTreeSet,
    ffi::CString,
    path::{Path, PathBuf},
};

use inkwell::{
    GlobalVisibility,
    context::Context,
    memory_buffer::MemoryBuffer,
    module::{Linkage, Module as LlvmModule},
    values::{FunctionValue, GlobalValue},
};

/// A whole program in LLVM's form.
pub struct Module {
    // Dropped before the context that it lives in.
    module: LlvmModule<'static>,
    _context: Box<Context>,
}

/// Why there is no whole-program module.
#[derive(Debug, thiserror::Error)]
pub enum ModuleError {
    /// There is no bitcode at all.
    #[error("assemble a module: no part of the program has bitcode")]
    Empty,
    /// A part cannot be read.
    #[error("read bitcode {}: {why}", .path.display())]
    Unreadable {
        /// The part.
        path: PathBuf,
        /// What LLVM says.
        why: String,
    },
    /// A part does not fit the others.
    #[error("link bitcode {}: {why}", .path.display())]
    Unlinkable {
        /// The part.
        path: PathBuf,
        /// What LLVM says.
        why: String,
    },
    /// What came out is not a valid module.
    #[error("verify the whole-program module: {0}")]
    Invalid(String),
    /// The module cannot be written.
    #[error("write {}", .0.display())]
    Unwritable(PathBuf),
}

impl Module {
    /// Puts a program together: the bitcode files of each image, images in the loader's order.
    pub fn assemble(images: &[Vec<PathBuf>]) -> Result<Module, ModuleError> {
        let context = Box::new(Context::create());
        // SAFETY: the context is on the heap and is dropped after every module made from it: the
        // modules either are consumed by linking or end up in `Module`, whose first field they are.
        let lasting: &'static Context = unsafe { &*std::ptr::from_ref(&*context) };
        let mut whole: Option<LlvmModule<'static>> = None;
        for image in images {
            let Some(module) = assemble_image(lasting, image)? else { continue };
            if images.len() > 1 {
                keep_hidden_symbols_apart(&module);
            }
            whole = Some(match whole {
                None => module,
                Some(whole) => {
                    link(whole, module, image.last().map_or(Path::new(""), |path| path))?
                }
            });
        }
        let module = whole.ok_or(ModuleError::Empty)?;
        module.verify().map_err(|why| ModuleError::Invalid(why.to_string()))?;
        Ok(Module { module, _context: context })
    }

    /// The module itself, for those who know LLVM.
    pub fn llvm(&self) -> &LlvmModule<'static> {
        &self.module
    }

    /// Writes it as a bitcode file.
    pub fn write(&self, path: &Path) -> Result<(), ModuleError> {
        if self.module.write_bitcode_to_path(path) {
            return Ok(());
        }
        Err(ModuleError::Unwritable(path.into()))
    }
}

fn assemble_image(
    context: &'static Context,
    parts: &[PathBuf],
) -> Result<Option<LlvmModule<'static>>, ModuleError> {
    let mut image = None;
    for path in parts {
        let part = read(context, path)?;
        image = Some(match image {
            None => part,
            Some(image) => link(image, part, path)?,
        });
    }
    Ok(image)
}

fn read(context: &'static Context, path: &Path) -> Result<LlvmModule<'static>, ModuleError> {
    let unreadable = |why: String| ModuleError::Unreadable { path: path.into(), why };
    let buffer = MemoryBuffer::create_from_file(path).map_err(|why| unreadable(why.to_string()))?;
    LlvmModule::parse_bitcode_from_buffer(&buffer, context)
        .map_err(|why| unreadable(why.to_string()))
}

fn link(
    whole: LlvmModule<'static>,
    part: LlvmModule<'static>,
    path: &Path,
) -> Result<LlvmModule<'static>, ModuleError> {
    give_way(&part, &whole);
    whole
        .link_in_module(part)
        .map_err(|why| ModuleError::Unlinkable { path: path.into(), why: why.to_string() })?;
    Ok(whole)
}

/// Makes definitions in `part` that `whole` has already into mere offers, which linking drops.
fn give_way(part: &LlvmModule<'static>, whole: &LlvmModule<'static>) {
    let defined: BTreeSet<CString> = functions(whole)
        .filter(|function| is_strong(function.get_linkage(), function.count_basic_blocks() > 0))
        .map(|function| function.get_name().to_owned())
        .chain(
            whole
                .get_globals()
                .filter(|global| {
                    is_strong(global.get_linkage(), global.get_initializer().is_some())
                })
                .map(|global| global.get_name().to_owned()),
        )
        .collect();
    for function in functions(part) {
        if is_strong(function.get_linkage(), function.count_basic_blocks() > 0)
            && defined.contains(function.get_name())
        {
            function.set_linkage(Linkage::AvailableExternally);
        }
    }
    for global in part.get_globals() {
        if is_strong(global.get_linkage(), global.get_initializer().is_some())
            && defined.contains(global.get_name())
        {
            global.set_linkage(Linkage::AvailableExternally);
        }
    }
}

fn is_strong(linkage: Linkage, defined: bool) -> bool {
    defined && linkage == Linkage::External
}

/// A hidden symbol is seen only inside its image: that is what `internal` says in a module.
fn keep_hidden_symbols_apart(image: &LlvmModule<'static>) {
    let hide = |global: GlobalValue<'static>, defined: bool| {
        if defined && global.get_visibility() == GlobalVisibility::Hidden {
            global.set_visibility(GlobalVisibility::Default);
            global.set_linkage(Linkage::Internal);
        }
    };
    for function in functions(image) {
        hide(function.as_global_value(), function.count_basic_blocks() > 0);
    }
    for global in image.get_globals() {
        hide(global, global.get_initializer().is_some());
    }
}

fn functions(module: &LlvmModule<'static>) -> impl Iterator<Item = FunctionValue<'static>> {
    module.get_functions()
}

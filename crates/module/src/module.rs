//! The whole program as one LLVM module.
//!
//! Each image (the executable, a shared library) is linked on its own first, by the rules of the
//! linker; then the images are bound to each other by the rules of the loader ([`bind`]) and
//! linked in the order in which it searches them.

use std::path::{Path, PathBuf};

use inkwell::{context::Context, memory_buffer::MemoryBuffer, module::Module as LlvmModule};

use crate::{
    bind::{bind, give_way},
    image::Image,
    start::start_as_library,
    wrap::wrap,
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
        /// LLVM's message.
        why: String,
    },
    /// A part does not fit the others.
    #[error("link bitcode {}: {why}", .path.display())]
    Unlinkable {
        /// The part.
        path: PathBuf,
        /// LLVM's message.
        why: String,
    },
    /// The result is not a valid module.
    #[error("verify the whole-program module: {0}")]
    Invalid(String),
    /// The module cannot be written.
    #[error("write {}: {}", .0.display(), .1)]
    Unwritable(PathBuf, String),
}

impl Module {
    /// Puts a program together: its images in the loader's order, the executable first.
    pub fn assemble(images: &[Image]) -> Result<Module, ModuleError> {
        let context = Box::new(Context::create());
        // SAFETY: the context is on the heap and is dropped after every module made from it: the
        // modules either are consumed by linking or end up in `Module`, whose first field they are.
        let lasting: &'static Context = unsafe { &*std::ptr::from_ref(&*context) };
        let mut modules = Vec::new();
        for image in images {
            modules.extend(assemble_image(lasting, image)?.map(|module| (image, module)));
        }
        if let [program, _, ..] = images {
            prepare_images(&modules, program);
        }
        let module = link_images(modules)?.ok_or(ModuleError::Empty)?;
        module.verify().map_err(|why| ModuleError::Invalid(why.to_string()))?;
        Ok(Module { module, _context: context })
    }

    /// The LLVM module itself.
    pub fn llvm(&self) -> &LlvmModule<'static> {
        &self.module
    }

    /// The module as bitcode. LLVM ends the process if it cannot write a file itself.
    pub fn bitcode(&self) -> Vec<u8> {
        self.module.write_bitcode_to_memory().as_slice().to_vec()
    }

    /// Writes it as a bitcode file.
    pub fn write(&self, path: &Path) -> Result<(), ModuleError> {
        std::fs::write(path, self.bitcode())
            .map_err(|why| ModuleError::Unwritable(path.into(), why.to_string()))
    }
}

fn assemble_image(
    context: &'static Context,
    image: &Image,
) -> Result<Option<LlvmModule<'static>>, ModuleError> {
    let mut whole = None;
    for path in &image.parts {
        let part = read(context, path)?;
        wrap(&part, &image.wrapped);
        whole = Some(match whole {
            None => part,
            Some(whole) => {
                give_way(&part, &whole);
                link(whole, part, path)?
            }
        });
    }
    Ok(whole)
}

fn read(context: &'static Context, path: &Path) -> Result<LlvmModule<'static>, ModuleError> {
    let unreadable = |why: String| ModuleError::Unreadable { path: path.into(), why };
    let buffer = MemoryBuffer::create_from_file(path).map_err(|why| unreadable(why.to_string()))?;
    LlvmModule::parse_bitcode_from_buffer(&buffer, context)
        .map_err(|why| unreadable(why.to_string()))
}

/// Makes modules behave as the images of one program do.
fn prepare_images(modules: &[(&Image, LlvmModule<'static>)], program: &Image) {
    bind(modules, program);
    for (image, module) in modules.iter().filter(|(image, _)| !std::ptr::eq(*image, program)) {
        start_as_library(module, image.rank);
    }
}

fn link_images(
    modules: Vec<(&Image, LlvmModule<'static>)>,
) -> Result<Option<LlvmModule<'static>>, ModuleError> {
    let mut whole = None;
    for (image, module) in modules {
        let path = image.parts.last().map_or(Path::new(""), PathBuf::as_path);
        whole = Some(match whole {
            None => module,
            Some(whole) => link(whole, module, path)?,
        });
    }
    Ok(whole)
}

fn link(
    whole: LlvmModule<'static>,
    part: LlvmModule<'static>,
    path: &Path,
) -> Result<LlvmModule<'static>, ModuleError> {
    whole
        .link_in_module(part)
        .map_err(|why| ModuleError::Unlinkable { path: path.into(), why: why.to_string() })?;
    Ok(whole)
}

//! The runtime, compiled: probes and models as bitcode, the core as an object.
//!
//! It is compiled by the same clang as the programs, once, and kept in the cache.

use std::{
    fs, io,
    path::{Path, PathBuf},
    process::Command,
};

use inkwell::{context::ContextRef, memory_buffer::MemoryBuffer, module::Module as LlvmModule};
use parallax_capture::{made_once, toolchain};

/// Compiled parts of the runtime.
pub(crate) struct Toolkit {
    folder: PathBuf,
}

/// Why the runtime cannot be compiled.
#[derive(Debug, thiserror::Error)]
pub enum ToolkitError {
    /// There is no compiler.
    #[error(transparent)]
    NoClang(#[from] toolchain::NoClang),
    /// The cache cannot be written, or clang not started.
    #[error("compile the runtime: {0}")]
    Io(#[from] io::Error),
    /// The compiler failed.
    #[error("compile {file} of the runtime:\n{stderr}")]
    Refused {
        /// The source.
        file: String,
        /// The compiler's message.
        stderr: String,
    },
    /// The bitcode cannot be read again.
    #[error("read the runtime's {file}: {why}")]
    Unreadable {
        /// The file.
        file: String,
        /// LLVM's message.
        why: String,
    },
}

/// Options for bitcode as the front end makes it: models are instrumented, probes are inlined
/// first.
///
/// The map of memory that may have labels starts at address 0: clang must not conclude from a look
/// at the byte for a null pointer that it never happens.
const TO_BITCODE: &[&str] = &[
    "-emit-llvm",
    "-O1",
    "-Xclang",
    "-disable-llvm-passes",
    "-fno-builtin",
    "-fno-delete-null-pointer-checks",
    "-fno-omit-frame-pointer",
];
const TO_OBJECT: &[&str] =
    &["-O2", "-fno-stack-protector", "-fno-builtin-memset", "-fno-omit-frame-pointer"];

/// The file that includes all of the core.
const CORE: &str = "core.c";

impl Toolkit {
    pub(crate) fn ready() -> Result<Toolkit, ToolkitError> {
        let clang = toolchain::clang()?;
        let version = toolchain::version(&clang).unwrap_or_default();
        let header = parallax_runtime::abi_header();
        let mut parts: Vec<&[u8]> = vec![version.as_bytes(), header.as_bytes()];
        parts.push(parallax_runtime::EFFECTS.as_bytes());
        parts.push(parallax_runtime::STANDINGS.as_bytes());
        for (name, text) in parallax_runtime::all_sources() {
            parts.extend([name.as_bytes(), text.as_bytes()]);
        }
        parts.extend(TO_BITCODE.iter().chain(TO_OBJECT).map(|option| option.as_bytes()));
        let folder = made_once("runtime", &parts, |folder| make(folder, &clang, &header))?;
        Ok(Toolkit { folder })
    }

    /// A name that changes with the content.
    pub(crate) fn version(&self) -> String {
        self.folder.file_name().unwrap_or_default().to_string_lossy().into_owned()
    }

    /// The probes.
    pub(crate) fn probes(
        &self,
        context: ContextRef<'static>,
    ) -> Result<LlvmModule<'static>, ToolkitError> {
        self.read(context, parallax_runtime::PROBES.0)
    }

    /// The models, one module for each source file.
    pub(crate) fn models(
        &self,
        context: ContextRef<'static>,
    ) -> Result<Vec<LlvmModule<'static>>, ToolkitError> {
        parallax_runtime::MODELS.iter().map(|(name, _)| self.read(context, name)).collect()
    }

    /// The objects that are linked to every traced program.
    pub(crate) fn objects(&self) -> [PathBuf; 1] {
        [self.folder.join(CORE).with_extension("o")]
    }

    fn read(
        &self,
        context: ContextRef<'static>,
        name: &str,
    ) -> Result<LlvmModule<'static>, ToolkitError> {
        let path = self.folder.join(name).with_extension("bc");
        let unreadable =
            |why: String| ToolkitError::Unreadable { file: path.display().to_string(), why };
        let buffer =
            MemoryBuffer::create_from_file(&path).map_err(|why| unreadable(why.to_string()))?;
        LlvmModule::parse_bitcode_from_buffer(&buffer, context)
            .map_err(|why| unreadable(why.to_string()))
    }
}

fn make(folder: &Path, clang: &Path, header: &str) -> Result<(), ToolkitError> {
    write(folder, ("abi.h", header))?;
    for (name, text) in parallax_runtime::all_sources() {
        write(folder, (name, text))?;
    }
    let bitcode = parallax_runtime::MODELS.iter().chain([&parallax_runtime::PROBES]);
    for source in bitcode {
        compile(folder, clang, source.0, TO_BITCODE, "bc")?;
    }
    // As one unit: its small functions call each other all the time.
    let includes = parallax_runtime::CORE.iter().map(|(name, _)| format!("#include \"{name}\"\n"));
    write(folder, (CORE, &includes.collect::<String>()))?;
    compile(folder, clang, CORE, TO_OBJECT, "o")
}

fn write(folder: &Path, (name, text): (&str, &str)) -> io::Result<()> {
    let path = folder.join(name);
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent)?;
    }
    fs::write(path, text)
}

fn compile(
    folder: &Path,
    clang: &Path,
    name: &str,
    options: &[&str],
    extension: &str,
) -> Result<(), ToolkitError> {
    let output = Command::new(clang)
        .args(["-c", "-std=gnu17", "-fPIE", "-w", "-I."])
        .args(options)
        .arg(name)
        .arg("-o")
        .arg(Path::new(name).with_extension(extension))
        .current_dir(folder)
        .output()?;
    if output.status.success() {
        return Ok(());
    }
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    Err(ToolkitError::Refused { file: name.to_owned(), stderr })
}

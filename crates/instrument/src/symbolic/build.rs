//! From a captured program to its symbolic build.

use std::{
    collections::BTreeSet,
    ffi::OsStr,
    fs,
    os::unix::ffi::OsStrExt,
    path::{Path, PathBuf},
};

use parallax_capture::{Build, Code, Rebuilt, forget_old, link_rebuilt, made_once};
use parallax_deadline::Deadline;
use parallax_module::{Image, Module};
use parallax_program::Program;

use super::{
    entry,
    locals::settle,
    models::{hide_models, link_models},
    normal::normalise,
    places::Places,
    proof,
    record::Recording,
    toolkit::Toolkit,
    workshop::{Effort, MAKER, Workshop},
};
use crate::{
    build::{InstrumentError, whole_program},
    llvm::Handle,
};

/// A program that can be traced.
#[derive(Debug)]
pub struct SymbolicBuild {
    /// The executable.
    pub program: PathBuf,
    /// Its normal form, models included.
    pub model: Program,
    /// The meaning of the numbers in its traces.
    pub places: Places,
    /// How much of it had to be compiled.
    pub effort: Effort,
    /// Of a proof build: obstacles to any proof about the program.
    pub obstacles: BTreeSet<String>,
}

/// The purpose of a symbolic build.
#[derive(Clone, Copy)]
enum Purpose<'r> {
    /// To find inputs.
    Search,
    /// To record the execution of some functions.
    Record(&'r Recording),
    /// To prove that nothing differs.
    Proof,
}

impl Purpose<'_> {
    fn recording(self) -> Recording {
        match self {
            Purpose::Record(recording) => recording.clone(),
            Purpose::Search | Purpose::Proof => Recording::default(),
        }
    }

    /// The kind of its cache entries.
    fn kind(self) -> &'static str {
        match self {
            Purpose::Proof => "proof",
            Purpose::Search | Purpose::Record(_) => "symbolic",
        }
    }
}

const TO_PROGRAM: &[&str] = &["-fPIE", "-pie", "-Wl,-z,nostart-stop-gc", "-fuse-ld=lld"];

/// Makes the symbolic build of a program at `output`.
pub fn symbolic_build(build: &Build, output: &Path) -> Result<SymbolicBuild, InstrumentError> {
    fresh_build(build, Purpose::Search, output, Deadline::NEVER)
}

/// Makes a symbolic build at `output` that also records the execution of some functions.
pub fn recording_build(
    build: &Build,
    recording: &Recording,
    output: &Path,
    deadline: Deadline,
) -> Result<SymbolicBuild, InstrumentError> {
    fresh_build(build, Purpose::Record(recording), output, deadline)
}

fn fresh_build(
    build: &Build,
    purpose: Purpose<'_>,
    output: &Path,
    deadline: Deadline,
) -> Result<SymbolicBuild, InstrumentError> {
    let toolkit = Toolkit::ready()?;
    deadline.check()?;
    let normal = normal_form(build, purpose, &toolkit)?;
    deadline.check()?;
    make(normal, build, purpose, &toolkit, (output, deadline))
}

/// Limit on whole builds in the cache.
const MOST_KEPT: usize = 200;
/// The program in its normal form, in an entry of the cache.
const MODEL: &str = "model.bc";
/// Obstacles to proofs about it, beside it, a line each.
const OBSTACLES: &str = "obstacles";

/// The symbolic build of a program, in the cache: made again only if the program changed.
pub fn symbolic_build_cached(build: &Build) -> Result<SymbolicBuild, InstrumentError> {
    cached_build(build, Purpose::Search, Deadline::NEVER)
}

/// The proof build of a program, in the cache.
pub fn proof_build_cached(
    build: &Build,
    deadline: Deadline,
) -> Result<SymbolicBuild, InstrumentError> {
    cached_build(build, Purpose::Proof, deadline)
}

/// The symbolic build that also records the execution of some functions, in the cache.
pub fn recording_build_cached(
    build: &Build,
    recording: &Recording,
    deadline: Deadline,
) -> Result<SymbolicBuild, InstrumentError> {
    cached_build(build, Purpose::Record(recording), deadline)
}

fn cached_build(
    build: &Build,
    purpose: Purpose<'_>,
    deadline: Deadline,
) -> Result<SymbolicBuild, InstrumentError> {
    let recording = purpose.recording();
    let toolkit = Toolkit::ready()?;
    let name = build.program.file_name().unwrap_or(OsStr::new("program"));
    let (version, contents) = (toolkit.version(), contents(build)?);
    let mut key: Vec<&[u8]> = vec![MAKER.as_bytes(), version.as_bytes()];
    key.extend(contents.iter().map(Vec::as_slice));
    for (mark, names) in [("recorded", &recording.functions), ("idle", &recording.idle)] {
        key.extend((!names.is_empty()).then_some(mark.as_bytes()));
        key.extend(names.iter().map(|name| name.as_bytes()));
    }
    let mut made = None;
    let folder = made_once(purpose.kind(), &key, |folder| {
        deadline.check()?;
        let normal = normal_form(build, purpose, &toolkit)?;
        deadline.check()?;
        normal.module.write(&folder.join(MODEL))?;
        let lines: Vec<_> = normal.obstacles.iter().map(String::as_str).collect();
        fs::write(folder.join(OBSTACLES), lines.join("\n"))?;
        let output = folder.join(name);
        made = Some(make(normal, build, purpose, &toolkit, (&output, deadline))?);
        Ok::<_, InstrumentError>(())
    })?;
    if let Some(made) = made {
        forget_old(purpose.kind(), MOST_KEPT)?;
        return Ok(made);
    }
    let obstacles = fs::read_to_string(folder.join(OBSTACLES))?;
    let obstacles = obstacles.lines().map(str::to_owned).collect();
    let model = Image { parts: vec![folder.join(MODEL)], ..Image::default() };
    let model = Module::assemble(&[model])?.program();
    let program = folder.join(name);
    let places = Places::read(&program, &model).map_err(InstrumentError::Refused)?;
    Ok(SymbolicBuild { program, model, places, effort: Effort::default(), obstacles })
}

/// The content of a program's files identifies its bitcode and how it was linked.
fn contents(build: &Build) -> Result<Vec<Vec<u8>>, InstrumentError> {
    let mut all = Vec::new();
    for image in &build.images {
        all.push(image.path.as_os_str().as_bytes().to_vec());
        all.push(fs::read(&image.path)?);
    }
    Ok(all)
}

fn make(
    normal: NormalForm,
    build: &Build,
    purpose: Purpose<'_>,
    toolkit: &Toolkit,
    (output, deadline): (&Path, Deadline),
) -> Result<SymbolicBuild, InstrumentError> {
    let NormalForm { module, obstacles } = normal;
    let model = module.program();
    let recording = purpose.recording();
    let (objects, effort) = Workshop::new(module, &recording, toolkit, deadline)?.compile_all()?;
    let code = Code::Objects(&objects);
    let rebuilt = Rebuilt { code, options: TO_PROGRAM, objects: &toolkit.objects(), deadline };
    link_rebuilt(build, rebuilt, output)?;
    let places = Places::read(output, &model).map_err(InstrumentError::Refused)?;
    Ok(SymbolicBuild { program: output.to_owned(), model, places, effort, obstacles })
}

/// The whole program in its normal form.
struct NormalForm {
    module: Module,
    /// Obstacles to proofs about it.
    obstacles: BTreeSet<String>,
}

/// The program with models, and with stable names.
fn normal_form(
    build: &Build,
    purpose: Purpose<'_>,
    toolkit: &Toolkit,
) -> Result<NormalForm, InstrumentError> {
    let refused = InstrumentError::Refused;
    let module = whole_program(build)?;
    module.mark_origins();
    let llvm = module.llvm();
    let mut obstacles = BTreeSet::new();
    match purpose {
        Purpose::Search => {}
        Purpose::Record(recording) => recording.begin(&Handle::new(llvm)),
        Purpose::Proof => {
            obstacles = proof::obstacles(build, llvm);
            proof::prepare(llvm)?;
        }
    }
    link_models(llvm, toolkit.models(llvm.get_context())?).map_err(refused)?;
    let handle = Handle::new(llvm);
    entry::take_over(&handle).map_err(|why| refused(why.to_owned()))?;
    hide_models(llvm);
    normalise(llvm)?;
    match purpose {
        Purpose::Search => {}
        Purpose::Record(_) => Recording::end(&handle),
        Purpose::Proof => proof::sign(&handle),
    }
    settle(&handle);
    Ok(NormalForm { module, obstacles })
}

impl SymbolicBuild {
    /// The names of the functions with a covered place in a run; `coverage` has a byte for each
    /// place.
    pub fn executed(&self, coverage: &[u8]) -> BTreeSet<String> {
        let covered = (1..).zip(coverage).filter(|(_, byte)| **byte != 0);
        let functions = covered.filter_map(|(number, _)| Some(self.places.get(number)?.function));
        let functions: BTreeSet<_> = functions.collect();
        functions.into_iter().map(|function| self.model.at(function).name.clone()).collect()
    }

    /// The values of the switch at a place.
    pub fn cases(&self, number: u32) -> Vec<u64> {
        let Some(place) = self.places.get(number) else { return Vec::new() };
        let function = self.model.functions.get(place.function.0 as usize);
        let block = function.and_then(|function| function.blocks.get(place.block.0 as usize));
        block.map(|block| block.cases.clone()).unwrap_or_default()
    }

    /// The source of a place, as people write it: `cut.c:12:5`.
    pub fn source_of(&self, number: u32) -> String {
        let instruction = self.places.get(number).and_then(|place| place.instruction(&self.model));
        match instruction.and_then(|instruction| instruction.location) {
            Some(location) => self.model.describe(location).to_string(),
            None => self.function_source(number),
        }
    }

    /// The location of the function of a place: for code without a line, such as the jump that all
    /// computed gotos share.
    fn function_source(&self, number: u32) -> String {
        let place = self.places.get(number);
        let function = place.and_then(|place| self.model.functions.get(place.function.0 as usize));
        match function.and_then(|function| function.location) {
            Some(location) => self.model.describe(location).to_string(),
            None => "?".to_owned(),
        }
    }

    /// The function that a place is in.
    pub fn function_at(&self, number: u32) -> &str {
        self.places.get(number).map_or("?", |place| place.function_name(&self.model))
    }
}

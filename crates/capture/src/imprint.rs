//! Leaving notes in the output of a compile.
//!
//! An object gets the note of its unit, an assembler file a directive that will become one, and a
//! linked file the notes of the link, of the sources that were compiled on the way, and of the
//! linked code that was not compiled by us: a module must be able to say what it lacks.

use std::{
    fs,
    io::{self, Write},
    path::{Path, PathBuf},
    process::Stdio,
};

use crate::{
    arguments::{Arguments, Input, Language, Stage},
    driver::{Bitcode, Compiler, run},
    foreign,
    note::{LinkNote, Notes, Unit},
    section,
    store::digest,
};

impl Compiler {
    /// Puts notes of the bitcode into the output of the native compile.
    pub(crate) fn leave_notes(
        &self,
        arguments: &Arguments,
        sources: &[Input],
        bitcode: Vec<Bitcode>,
    ) -> io::Result<()> {
        let mut units = Vec::new();
        for (source, bitcode) in sources.iter().zip(bitcode) {
            units.push((source, self.unit(source, bitcode)?));
        }
        match arguments.stage {
            Stage::Link => self.note_link(arguments, units),
            Stage::Object => each_output(arguments, units, "o", |output, source, unit| {
                self.note_object(output, source, unit)
            }),
            Stage::Assembly => each_output(arguments, units, "s", note_assembly),
            Stage::Inspect => Ok(()),
        }
    }

    fn unit(&self, source: &Input, bitcode: Bitcode) -> io::Result<Unit> {
        let bitcode = match bitcode {
            Ok(bitcode) => Ok(self.store.put(&bitcode)?),
            Err(why) => Err(why),
        };
        Ok(self.unit_of(self.directory.join(&source.path), bitcode))
    }

    fn unit_of(&self, source: PathBuf, bitcode: Result<String, String>) -> Unit {
        let store = self.store.root().to_path_buf();
        Unit { source, store, bitcode, object: None, assembly: None }
    }

    fn note_object(&self, object: &Path, source: &Input, mut unit: Unit) -> io::Result<()> {
        if unit.bitcode.is_err() {
            if carries_its_notes(source, object)? {
                return Ok(());
            }
            unit.object = Some(self.store.put(&fs::read(object)?)?);
        }
        section::add(object, &Notes { units: vec![unit], link: None })?;
        Ok(())
    }

    fn note_link(&self, arguments: &Arguments, units: Vec<(&Input, Unit)>) -> io::Result<()> {
        let output = arguments.output.clone().unwrap_or_else(|| "a.out".into());
        if !output.is_file() {
            return Ok(());
        }
        let mut noted = Vec::new();
        for (source, mut unit) in units {
            if unit.bitcode.is_err() {
                if carries_its_notes(source, &output)? {
                    continue;
                }
                unit.object = self.object_of(arguments, source)?;
            }
            noted.push(unit);
        }
        for path in foreign::linked(&arguments.linkables(), &self.directory, &output) {
            noted.push(self.unit_of(path, Err("it was not compiled with parallax-cc".into())));
        }
        let link = LinkNote {
            directory: self.directory.clone(),
            cxx: self.cxx,
            words: arguments.link_words(),
        };
        section::add(&output, &Notes { units: noted, link: Some(link) })?;
        Ok(())
    }

    /// The object of a source that was assembled and linked in one go.
    fn object_of(&self, arguments: &Arguments, source: &Input) -> io::Result<Option<String>> {
        let Language::Assembler(language) = source.language else { return Ok(None) };
        let mut command = self.command();
        command
            .args(arguments.compile_words())
            .args(["-c", "-o", "-", "-x", language])
            .arg(&source.path);
        let output = run(&mut command, None, Stdio::piped())?;
        if !output.status.success() {
            return Ok(None);
        }
        self.store.put(&output.stdout).map(Some)
    }
}

/// Whether assembler that we made ourselves (`-S`) brought its notes into `output`. If it was
/// edited on the way they no longer hold, and are wiped out.
fn carries_its_notes(source: &Input, output: &Path) -> io::Result<bool> {
    if !matches!(source.language, Language::Assembler(_)) || !source.path.is_file() {
        return Ok(false);
    }
    let text = fs::read(&source.path)?;
    let Some((written, noted)) = section::split_directive(&text) else { return Ok(false) };
    if digest(&[written]) == noted {
        return Ok(true);
    }
    section::forget(output, &noted)?;
    Ok(false)
}

/// Calls `note` on each unit with the file that was made of it.
fn each_output(
    arguments: &Arguments,
    units: Vec<(&Input, Unit)>,
    extension: &str,
    note: impl Fn(&Path, &Input, Unit) -> io::Result<()>,
) -> io::Result<()> {
    for (source, unit) in units {
        let output = arguments.output.clone().unwrap_or_else(|| source.default_output(extension));
        if output.is_file() {
            note(&output, source, unit)?;
        }
    }
    Ok(())
}

fn note_assembly(output: &Path, _source: &Input, mut unit: Unit) -> io::Result<()> {
    unit.assembly = Some(digest(&[&fs::read(output)?]));
    let notes = Notes { units: vec![unit], link: None };
    fs::OpenOptions::new().append(true).open(output)?.write_all(&section::directive(&notes))
}

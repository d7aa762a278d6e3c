//! Symbolic builds of the PROGRAM that the user named.

use std::ffi::{OsStr, OsString};

use parallax_check::{Running, subject, traced};
use parallax_instrument::{SymbolicBuild, symbolic_build_cached};
use parallax_run::{Subject, trace::TraceOptions};

use crate::{
    cli::Building,
    screen::Screen,
    versions::{build_one, failed, failed_to},
};

/// A program in both builds.
pub(crate) struct Symbolic {
    pub(crate) build: SymbolicBuild,
    /// The program as users run it.
    pub(crate) native: Subject,
    /// The program that can be traced.
    pub(crate) subject: Subject,
    /// The name that both run under.
    pub(crate) name: OsString,
}

impl Symbolic {
    /// Builds both.
    pub(crate) fn build(
        program: &OsStr,
        building: &Building,
        running: &Running,
        screen: &Screen,
    ) -> anyhow::Result<Symbolic> {
        let (build, name) = build_one(program, building, screen)?;
        screen.status("making the symbolic build");
        let symbolic = symbolic_build_cached(&build).map_err(failed_to)?;
        screen.clear();
        let native = subject(&build, &name, running.memory).map_err(failed)?;
        let subject = traced(&symbolic, &native);
        Ok(Symbolic { build: symbolic, native, subject, name })
    }

    /// Room for a trace of it.
    pub(crate) fn trace_options(&self) -> TraceOptions {
        TraceOptions { sites: self.build.places.size(), ..TraceOptions::default() }
    }
}

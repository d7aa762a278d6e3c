//! One file for each verb: which library functions it calls, and what it prints.

pub(crate) mod changes;
pub(crate) mod check;
pub(crate) mod compare;
pub(crate) mod coverage;
pub(crate) mod demo;
pub(crate) mod doctor;
pub(crate) mod explain;
pub(crate) mod explore;
pub(crate) mod minimize;
pub(crate) mod module;
pub(crate) mod record;
pub(crate) mod replay;
pub(crate) mod schema;
pub(crate) mod trace;

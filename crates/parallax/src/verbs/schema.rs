//! `parallax schema`: the schema of `result.json`.

use crate::{cli::Status, screen::Screen};

pub(crate) fn run(screen: &Screen) -> anyhow::Result<Status> {
    screen.print(&parallax_report::check_schema())?;
    Ok(Status::Fine)
}

//! `parallax changes`: what changed, and what it can affect.

use parallax_check::{Analysed, changes_report, draw};
use parallax_deadline::Deadline;

use crate::{
    cli::{self, Format, Status},
    screen::Screen,
    versions::{build_pair, failed},
};

pub(crate) fn run(options: &cli::Changes, screen: &Screen) -> anyhow::Result<Status> {
    let pair = build_pair(&options.old, &options.new, &options.building, screen)?;
    let analysed = Analysed::new(&pair, Deadline::NEVER, screen).map_err(failed)?;
    let study = analysed.study(&pair, screen);
    screen.clear();
    let text = match options.graph {
        Some(graph) => {
            let drawing = draw(&study, graph.into(), options.function.as_deref());
            let drawing = drawing.map_err(failed)?;
            match options.format {
                Format::Dot => drawing.to_dot(),
                Format::Svg => drawing.to_svg(),
            }
        }
        None => {
            let report = changes_report(&study, &pair.name.to_string_lossy());
            match options.json {
                true => report.to_json(),
                false => report.terminal(screen.style(), screen.width()),
            }
        }
    };
    screen.print(&text)?;
    Ok(Status::Fine)
}

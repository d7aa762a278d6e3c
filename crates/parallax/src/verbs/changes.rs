//! `parallax changes`: what changed, and what it can affect.

mod account;
mod picture;
mod source;

pub(crate) use self::{
    account::account,
    source::{Sources, short},
};
use crate::{
    cli::{self, Format, Status},
    screen::Screen,
    study::Analysed,
    versions::Pair,
};
use parallax_deadline::Deadline;

pub(crate) fn run(options: &cli::Changes, screen: &Screen) -> anyhow::Result<Status> {
    let pair = Pair::build(&options.old, &options.new, &options.building, screen)?;
    let analysed = Analysed::new(&pair, Deadline::NEVER, screen)?;
    let study = analysed.study(&pair, screen);
    screen.clear();
    let text = match options.graph {
        Some(graph) => {
            let drawing = picture::draw(&study, graph, options.function.as_deref())?;
            match options.format {
                Format::Dot => drawing.to_dot(),
                Format::Svg => drawing.to_svg(),
            }
        }
        None => {
            let account = account(&study, &pair.name.to_string_lossy());
            match options.json {
                true => account.to_json(),
                false => account.terminal(screen.style(), screen.width()),
            }
        }
    };
    screen.print(&text)?;
    Ok(Status::Fine)
}

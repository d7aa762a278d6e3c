//! The colours, the same for both formats.
//!
//! Light fills with dark text on a white ground, so that a picture reads the same on a dark page.
//! Important parts differ in the weight of their lines too, for people who see colours otherwise.

use super::{EdgeLook, Look};

/// The paint of a box.
pub(super) struct BoxPaint {
    pub(super) fill: &'static str,
    pub(super) line: &'static str,
    pub(super) text: &'static str,
    pub(super) weight: f64,
    /// Whether its corners are wide: for starts and ends.
    pub(super) round: bool,
}

/// The paint of an arrow.
pub(super) struct EdgePaint {
    pub(super) line: &'static str,
    pub(super) weight: f64,
    pub(super) dashed: bool,
}

/// The paint of a kind of box.
pub(super) fn of_box(look: Look) -> BoxPaint {
    let (fill, line, weight) = match look {
        Look::Plain => ("#ffffff", "#57606a", 1.2),
        Look::Changed => ("#ffd8bf", "#b3400a", 2.6),
        Look::Affected => ("#fff3b8", "#8a6100", 1.6),
        Look::Faded => ("#f6f8fa", "#b4bcc5", 1.0),
        Look::Entry => ("#dafbe1", "#1a7f37", 1.6),
        Look::Exit => ("#e4e8ec", "#24292f", 1.6),
        Look::Output => ("#d8f0ff", "#0860c4", 2.0),
        Look::Meeting => ("#f3e6ff", "#7a3fd0", 2.0),
    };
    let text = if look == Look::Faded { "#656d76" } else { "#1f2328" };
    BoxPaint { fill, line, text, weight, round: matches!(look, Look::Entry | Look::Exit) }
}

/// The paint of an arrow that leads on.
pub(super) fn of_edge(look: EdgeLook) -> EdgePaint {
    let (line, weight) = match look {
        EdgeLook::Plain | EdgeLook::Dashed => ("#57606a", 1.3),
        EdgeLook::Faded => ("#929ca6", 1.1),
        EdgeLook::Strong => ("#b3400a", 2.4),
    };
    EdgePaint { line, weight, dashed: look == EdgeLook::Dashed }
}

/// The paint of an arrow that leads back.
pub(super) fn of_back_edge(look: EdgeLook) -> EdgePaint {
    let paint = of_edge(look);
    let line = match look {
        EdgeLook::Plain | EdgeLook::Dashed => "#3f51c9",
        EdgeLook::Faded => "#aab4ea",
        EdgeLook::Strong => paint.line,
    };
    EdgePaint { line, ..paint }
}

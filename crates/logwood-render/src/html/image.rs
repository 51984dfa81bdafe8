//! Pictures: only of kinds that hold no script, only with data that is what it says (spec 8.10).

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use logwood::entry::ImageBlock;

use super::escape::push_text;

/// The kinds that are shown; SVG can hold scripts and is not among them.
const KINDS: [(&str, &[u8]); 4] = [
    ("image/png", b"\x89PNG"),
    ("image/jpeg", b"\xff\xd8"),
    ("image/gif", b"GIF8"),
    ("image/webp", b"RIFF"),
];

/// Adds a picture, or a note in its place.
pub(super) fn push_image(page: &mut String, image: ImageBlock<'_>) {
    let mime = image.mime_type().unwrap_or_default();
    let data = image.data().unwrap_or_default();
    let kind = KINDS.iter().find(|(kind, _)| *kind == &*mime);
    match kind.filter(|(_, magic)| starts_with(&data, magic)) {
        Some((kind, _)) => {
            page.push_str("<img loading=\"lazy\" alt=\"Image of the session\" src=\"data:");
            page.push_str(kind);
            page.push_str(";base64,");
            page.push_str(&data);
            page.push_str("\">");
        }
        None => {
            let size = crate::plain::size(data.len() / 4 * 3);
            page.push_str("<p class=\"note\">[image, ");
            push_text(page, if mime.is_empty() { "of no kind" } else { &mime });
            page.push_str(&format!(", {size}, not shown]</p>"));
        }
    }
}

/// Whether the data is strict base64 of something that begins as it should.
fn starts_with(data: &str, magic: &[u8]) -> bool {
    STANDARD.decode(data).is_ok_and(|bytes| bytes.starts_with(magic))
}

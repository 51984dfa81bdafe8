//! Writes a session as one page of HTML: `cargo run -p logwood-render --example html -- SESSION.jsonl > page.html`.

use std::error::Error;

use logwood::session::SessionOptions;
use logwood_render::about::About;
use logwood_render::html::{HtmlOptions, html};

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args_os().nth(1).ok_or("name a session file")?;
    let session = SessionOptions::new().read_only(true).open(path)?;
    html(
        &session,
        &About::of(&session).with_usage(&session)?,
        &HtmlOptions::default(),
        &mut std::io::stdout().lock(),
    )??;
    Ok(())
}

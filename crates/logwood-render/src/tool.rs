//! What the calls and results of known tools hold (spec 1.8).

use std::path::Path;

use logwood::entry::ToolResultMessage;
use logwood::json::Raw;

/// The ending of the file that a call names, which tells its language; empty where it names none.
pub(crate) fn extension(arguments: Raw<'_>) -> String {
    let named = |key: &str| arguments.get_str(key).filter(|path| !path.is_empty());
    let path = named("path").or_else(|| named("file_path")).unwrap_or_default();
    let extension = Path::new(&*path).extension().and_then(|extension| extension.to_str());
    extension.unwrap_or_default().to_owned()
}

/// The change that an edit made.
pub(crate) fn diff(result: ToolResultMessage<'_>) -> Option<String> {
    let diff = result.details().filter(|_| !result.is_error())?.get_str("diff")?;
    (!diff.trim().is_empty()).then(|| diff.trim_end().to_owned())
}

//! How parts of the library's answers look as JSON, the same in every command.

use logwood::context::ModelRef;
use logwood::problem::Problem;

use crate::command::advice;
use crate::output::Object;

/// `{provider, modelId}`, or `null`.
pub(crate) fn model(model: Option<&ModelRef>) -> String {
    match model {
        None => "null".to_owned(),
        Some(model) => Object::new()
            .str_or_null("provider", model.provider.as_deref())
            .str_or_null("modelId", model.model_id.as_deref())
            .end(),
    }
}

/// A finding with its place and what is done about it; `note` says that it is no fault.
pub(crate) fn problem(problem: &Problem) -> String {
    Object::new()
        .str("kind", problem.kind.as_str())
        .num_or_null("line", problem.position.map(|position| position.line))
        .num_or_null("byte", problem.position.map(|position| position.byte))
        .opt_str("entryId", problem.entry.as_deref())
        .opt_str("detail", problem.detail.as_deref())
        .str("message", problem.kind.describe())
        .bool("note", problem.is_note())
        .end()
}

/// A finding and what a person can do about it.
pub(crate) fn problem_with_advice(finding: &Problem) -> String {
    let text = problem(finding);
    let body = text.strip_suffix('}').unwrap_or(&text);
    let advice = Object::new().str("advice", advice(finding.kind)).end();
    format!("{body},{}", advice.strip_prefix('{').unwrap_or(&advice))
}

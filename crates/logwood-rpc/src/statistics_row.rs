//! What sessions cost, as the protocol and `--json` show it (spec 8.7, 6.14).

use logwood::json::JsonWriter;
use logwood::statistics::{Extent, SessionStatistics, Tokens, Totals};

/// Writes the members of one session in dreb's order, from userMessages on, then `branch` and `file`.
pub fn write_session_statistics(json: &mut JsonWriter<'_>, found: &SessionStatistics) {
    write_messages(json, &found.context);
    write_tokens(json, found.context.totals.tokens);
    json.key("cost").f64(found.context.totals.cost.dollars());
    for (key, extent) in [("branch", &found.branch), ("file", &found.file)] {
        json.key(key).begin_object();
        write_messages(json, extent);
        write_costs(json, &extent.totals);
        json.end_object();
    }
}

/// Writes the members of a row or a sum of statistics, without the braces around them.
pub fn write_totals_members(json: &mut JsonWriter<'_>, totals: &Totals) {
    json.key("assistantMessages").u64(totals.answers);
    write_costs(json, totals);
    json.key("mainCost").f64(totals.own().dollars());
    json.key("subagentCost").f64(totals.subagents.dollars());
}

fn write_messages(json: &mut JsonWriter<'_>, extent: &Extent) {
    let messages = extent.messages;
    json.key("userMessages").u64(messages.user);
    json.key("assistantMessages").u64(messages.assistant);
    json.key("toolCalls").u64(messages.tool_calls);
    json.key("toolResults").u64(messages.tool_results);
    json.key("totalMessages").u64(messages.total);
}

fn write_tokens(json: &mut JsonWriter<'_>, tokens: Tokens) {
    json.key("tokens").object(|object| {
        object
            .field_u64("input", tokens.input)
            .field_u64("output", tokens.output)
            .field_u64("cacheRead", tokens.cache_read)
            .field_u64("cacheWrite", tokens.cache_write)
            .field_u64("total", tokens.total());
    });
}

/// Tokens, the known cost, and how far it is known.
fn write_costs(json: &mut JsonWriter<'_>, totals: &Totals) {
    write_tokens(json, totals.tokens);
    json.key("cost").f64(totals.cost.dollars());
    json.key("messagesWithoutCost").u64(totals.without_cost);
    json.key("costIsLowerBound").bool(totals.is_lower_bound());
    json.key("abandonedCost").f64(totals.abandoned.dollars());
    json.key("otherCost").f64(totals.others.dollars());
}

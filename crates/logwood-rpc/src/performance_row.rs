//! A model of the performance log, as the protocol and `--json` show it (spec 8.13).

use logwood::json::JsonWriter;
use logwood::performance::ModelPerformance;

/// Writes the members of one model in dreb's order, without the braces around them: provider, modelId, rolling, delta.
pub fn write_performance_members(json: &mut JsonWriter<'_>, model: &ModelPerformance) {
    json.key("provider").str(model.provider()).key("modelId").str(model.model_id());
    let rolling = model.rolling();
    json.key("rolling").object(|o| {
        o.field_f64("median", rolling.median)
            .field_f64("mean", rolling.mean)
            .field_u64("count", rolling.count as u64);
    });
    let delta = model.delta();
    json.key("delta").object(|o| {
        o.field_f64("baselineMedian", delta.baseline_median)
            .field_f64("recentMedian", delta.recent_median)
            .field_f64("percentDelta", delta.percent)
            .field_str("direction", delta.direction.as_str())
            .field_u64("baselineCount", delta.baseline_count as u64)
            .field_u64("recentCount", delta.recent_count as u64);
    });
}

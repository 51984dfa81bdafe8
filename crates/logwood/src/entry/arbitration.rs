//! The `subagent_arbitration` record: what an arbiter decided before a subagent was started (spec 10.1).

use std::borrow::Cow;

use crate::json::Raw;

use super::Custom;
use super::arbitration_check::{ArbitrationFault, check};
use super::fields::views;

/// The `customType` of the records, and the `type` of their data.
pub(super) const ARBITRATION: &str = "subagent_arbitration";
/// The parts of a route, in the order of `changed`.
pub(super) const PARTS: [&str; 3] = ["agent", "model", "thinking"];

views! {
    /// One decision: which route was proposed for a subagent, and which one it was given. It is stored in the custom channel, so no
    /// model ever gets it.
    ///
    /// ```
    /// use logwood::entry::{Entry, EntryData};
    ///
    /// let line = br#"{"type":"custom","customType":"subagent_arbitration","data":{"type":"subagent_arbitration","agentId":"a1b2c3",
    ///     "status":"success","proposed":{"agent":"Explore","model":"p/large","thinking":"high"},
    ///     "final":{"agent":"Explore","model":"p/small","thinking":"high"},"changed":["model"],"step":2},"id":"x"}"#;
    /// let EntryData::Custom(custom) = Entry::parse(line)?.data() else { unreachable!() };
    /// let record = custom.arbitration().unwrap();
    /// assert_eq!(record.sentence(), "Arbitration step 2 changed model p/large → p/small.");
    /// # Ok::<(), logwood::json::SyntaxError>(())
    /// ```
    Arbitration {
        /// The subagent.
        agent_id: str = "agentId",
        /// `success` or `failure`.
        status: str = "status",
        /// The step of a chain, from 1.
        step: f64 = "step",
        /// Why it failed, in a word.
        error_code: str = "errorCode",
        /// Why it failed.
        error_message: str = "errorMessage",
    }

    /// Who does a task, with which model, and how hard it thinks.
    Route {
        /// The agent.
        agent: str = "agent",
        /// `provider/id`; empty where nothing was resolved.
        model: str = "model",
        /// The thinking level.
        thinking: str = "thinking",
    }
}

impl<'a> Custom<'a> {
    /// The decision, where this is the record of one.
    pub fn arbitration(self) -> Option<Arbitration<'a>> {
        let data = self.data().filter(|data| data.is_object())?;
        (self.custom_type()? == ARBITRATION).then_some(Arbitration(data))
    }
}

impl<'a> Arbitration<'a> {
    /// The route that was proposed.
    pub fn proposed(self) -> Option<Route<'a>> {
        self.route("proposed")
    }

    /// The route that was decided on; none where it failed.
    #[doc(alias = "final")]
    pub fn decided(self) -> Option<Route<'a>> {
        self.route("final")
    }

    fn route(self, key: &str) -> Option<Route<'a>> {
        self.raw().get(key).filter(|route| route.is_object()).map(Route)
    }

    /// The parts of the route that were changed.
    pub fn changed(self) -> impl Iterator<Item = Cow<'a, str>> {
        let words = self.raw().get("changed").map(Raw::elements).into_iter().flatten();
        words.filter_map(Raw::as_str)
    }

    /// Whether it failed; only `success` is none.
    pub fn is_failure(self) -> bool {
        self.status().as_deref() != Some("success")
    }

    /// What is wrong with it, if it is not a record that logwood would write.
    pub fn fault(self) -> Option<ArbitrationFault> {
        check(self.raw()).err()
    }

    /// What happened, as dreb tells it to people.
    pub fn sentence(self) -> String {
        let step = self.step().map(crate::json::js_number_text);
        let step = step.map_or_else(String::new, |step| format!(" step {step}"));
        let what = if self.is_failure() {
            let why = self.error_message().or_else(|| self.error_code());
            format!("failed: {}", why.unwrap_or_else(|| "unknown".into()))
        } else {
            self.change()
        };
        format!("Arbitration{step} {what}")
    }

    fn change(self) -> String {
        let (old, new) = (self.proposed(), self.decided());
        let part = |route: Option<Route<'a>>, part: &str| {
            route.and_then(|route| route.raw().get_str(part)).unwrap_or_default()
        };
        let changes: Vec<_> = self
            .changed()
            .map(|word| format!("{word} {} → {}", part(old, &word), part(new, &word)))
            .collect();
        match changes.as_slice() {
            [] => "kept the proposed route.".to_owned(),
            changes => format!("changed {}.", changes.join(", ")),
        }
    }
}

//! Sessions that are followed: what is appended to them comes as events, without a request (design section 3).

use logwood::error::{Error, ErrorKind, Result};
use logwood::follow::{
    FollowCursor, Followed, Follower, Hints, SessionFollower, Start, StoreFollower,
};
use logwood::json::{JsonWriter, Raw};

use super::Dispatcher;
use super::listing::place_of_all;
use super::open::path_member;
use super::row::{CommandSpec, FieldKind, example, gives, optional};
use crate::follow_event::write_follow_event;
use crate::request::Request;

pub(super) const COMMANDS: &[CommandSpec] = &[
    CommandSpec {
        name: "subscribe",
        about: "Follows one session, or all that list_all_sessions lists now and later. Events come between responses: entry_appended (entry, byte, line?), session_added (header), session_removed, session_rewritten (how: migrated, replaced, shrunk, rewritten; resumed: false says that all entries come anew), line_skipped and unreadable (problem); each with subscription, path, sessionId and a cursor.",
        fields: &[
            optional("path", FieldKind::Path, "the session file"),
            optional("store", FieldKind::Flag, "all sessions, which is the default without `path`"),
            optional(
                "cursor",
                FieldKind::Json,
                "where to go on: a cursor as it came, or a list of them, of which later ones count; `start` tells first what is there; default: only what comes",
            ),
        ],
        data: &[
            gives("subscription", "its name, which its events carry"),
            gives("cursor", "goes on where the subscription begins"),
        ],
        example: example(
            r#"{"type":"subscribe","store":true}"#,
            r#"{"subscription":"1","cursor":{"sessions":[]}}"#,
        ),
        run: subscribe,
    },
    CommandSpec {
        name: "unsubscribe",
        about: "Ends a subscription; no event of it comes after the response.",
        fields: &[optional(
            "subscription",
            FieldKind::Text,
            "its name; without it all subscriptions end",
        )],
        data: &[],
        example: example(r#"{"type":"unsubscribe"}"#, ""),
        run: unsubscribe,
    },
    CommandSpec {
        name: "get_subscriptions",
        about: "The subscriptions of this process.",
        fields: &[],
        data: &[gives(
            "subscriptions",
            "rows: subscription, path (null for all sessions), cursor, which goes on behind the events that were sent",
        )],
        example: example(r#"{"type":"get_subscriptions"}"#, r#"{"subscriptions":[]}"#),
        run: get_subscriptions,
    },
];

/// The subscriptions of a process.
#[derive(Debug, Default)]
pub(super) struct Subscriptions {
    all: Vec<Subscription>,
    made: u64,
}

#[derive(Debug)]
struct Subscription {
    name: String,
    follower: Follower,
}

impl Dispatcher {
    /// Whether there are subscriptions, so that [`poll`](Self::poll) can give events.
    pub fn is_following(&self) -> bool {
        !self.subscriptions.all.is_empty()
    }

    /// Whether a poll gives more events at once, since the last one stopped early.
    pub fn is_behind(&self) -> bool {
        self.subscriptions.all.iter().any(|subscription| subscription.follower.is_behind())
    }

    /// What a front end may watch; it polls now and then anyway, since no system tells everything.
    pub fn followed(&self) -> Vec<Followed> {
        self.subscriptions
            .all
            .iter()
            .flat_map(|subscription| subscription.follower.followed())
            .collect()
    }

    /// Looks at what is followed and gives an event for all that happened, each one line without a line end. Call it between requests;
    /// it takes as long as reading a few MiB of new entries.
    pub fn poll(&mut self, hints: Hints<'_>, events: &dyn Fn(&[u8])) {
        for Subscription { name, follower } in &mut self.subscriptions.all {
            for event in follower.poll(hints) {
                let mut line = Vec::new();
                write_follow_event(&mut JsonWriter::new(&mut line), &event, Some(name));
                events(&line);
            }
        }
    }
}

fn subscribe(
    state: &mut Dispatcher,
    request: &Request<'_>,
    data: &mut JsonWriter<'_>,
) -> Result<()> {
    let begin = Begin::of(request)?;
    let storage = state.options.sessions.shared_storage();
    let follower = match (request.text("path"), request.flag("store")) {
        (Some(path), None | Some(false)) => {
            let path = state.options.cwd.join(&*path);
            Follower::Session(Box::new(match begin {
                Begin::At(start) => SessionFollower::new(storage, path, start)?,
                Begin::Behind(cursor) => match cursor.session(&path) {
                    Some(cursor) => SessionFollower::resume(storage, cursor),
                    None => SessionFollower::new(storage, path, Start::Beginning)?,
                },
            }))
        }
        (None, None | Some(true)) => {
            let places: Vec<_> = place_of_all(state).into_iter().collect();
            Follower::Store(Box::new(match begin {
                Begin::At(start) => StoreFollower::new(storage, &places, start),
                Begin::Behind(cursor) => StoreFollower::resume(storage, &places, cursor),
            }))
        }
        _ => return Err(neither()),
    };
    let subscriptions = &mut state.subscriptions;
    subscriptions.made += 1;
    let name = subscriptions.made.to_string();
    data.key("subscription").str(&name).key("cursor").raw(&follower.cursor().to_json());
    subscriptions.all.push(Subscription { name, follower });
    Ok(())
}

/// Where following begins.
enum Begin {
    At(Start),
    Behind(FollowCursor),
}

impl Begin {
    fn of(request: &Request<'_>) -> Result<Self> {
        match request.raw("cursor").filter(|cursor| !cursor.is_null()) {
            None => Ok(Self::At(Start::Now)),
            Some(cursor) if cursor.is_str("start") => Ok(Self::At(Start::Beginning)),
            Some(cursor) => FollowCursor::parse(Raw::bytes(cursor)).map(Self::Behind),
        }
    }
}

fn neither() -> Error {
    Error::new(ErrorKind::InvalidArgument, "cannot do subscribe")
        .with_why("either `path` names one session, or `store` means all")
}

fn unsubscribe(
    state: &mut Dispatcher,
    request: &Request<'_>,
    _: &mut JsonWriter<'_>,
) -> Result<()> {
    let all = &mut state.subscriptions.all;
    let Some(name) = request.text("subscription") else {
        all.clear();
        return Ok(());
    };
    let before = all.len();
    all.retain(|subscription| subscription.name != *name);
    if all.len() < before {
        return Ok(());
    }
    Err(Error::new(ErrorKind::NotFound, format!("there is no subscription `{name}`"))
        .with_hint("get_subscriptions lists those there are"))
}

fn get_subscriptions(
    state: &mut Dispatcher,
    _: &Request<'_>,
    data: &mut JsonWriter<'_>,
) -> Result<()> {
    data.key("subscriptions").begin_array();
    for Subscription { name, follower } in &state.subscriptions.all {
        data.begin_object().key("subscription").str(name);
        match follower {
            Follower::Session(session) => path_member(data, "path", Some(session.path())),
            Follower::Store(_) => path_member(data, "path", None),
        }
        data.key("cursor").raw(&follower.cursor().to_json()).end_object();
    }
    data.end_array();
    Ok(())
}

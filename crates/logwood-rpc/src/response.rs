//! One response, keys in the order of the protocol: id, type, command, success, then data or error and errorKind.

use logwood::error::Error;
use logwood::json::{JsonWriter, Raw};

use crate::request::Request;

/// A response while it is written: the data go straight behind the envelope.
#[derive(Debug)]
pub(crate) struct Response {
    out: Vec<u8>,
    head: usize,
}

impl Response {
    /// Starts the response to a request.
    pub(crate) fn to(request: &Request<'_>) -> Self {
        Self::new(request.id, request.kind.bytes())
    }

    /// The start of any response; `command` is a JSON string.
    fn new(id: Option<Raw<'_>>, command: &[u8]) -> Self {
        let mut out = Vec::with_capacity(256);
        let mut json = JsonWriter::new(&mut out);
        json.begin_object();
        if let Some(id) = id {
            json.key("id").raw_lossy(id.bytes());
        }
        json.key("type").str("response").key("command").raw_lossy(command);
        let head = out.len();
        Self { out, head }
    }

    /// Ends it with success and the members that `fill` writes into `data`; without any there is no `data`.
    ///
    /// # Errors
    /// Those of `fill`; the response then says so.
    pub(crate) fn finish(
        mut self,
        fill: impl FnOnce(&mut JsonWriter<'_>) -> Result<(), Error>,
    ) -> Vec<u8> {
        self.out.extend_from_slice(br#","success":true"#);
        let bare = self.out.len();
        self.out.extend_from_slice(br#","data":{"#);
        let start = self.out.len();
        if let Err(error) = fill(&mut JsonWriter::new(&mut self.out)) {
            return self.fail(&error);
        }
        if self.out.len() == start {
            self.out.truncate(bare);
        } else {
            self.out.push(b'}');
        }
        self.out.push(b'}');
        self.out
    }

    /// Ends it with an error.
    pub(crate) fn fail(mut self, error: &Error) -> Vec<u8> {
        self.out.truncate(self.head);
        self.out.extend_from_slice(br#","success":false,"#);
        let mut json = JsonWriter::new(&mut self.out);
        json.key("error").str(&error.to_string());
        json.key("errorKind").str(error.kind().as_str());
        json.end_object();
        self.out
    }
}

/// The response to a line that is no request.
pub(crate) fn unreadable(id: Option<Raw<'_>>, error: &Error) -> Vec<u8> {
    Response::new(id, b"\"parse\"").fail(error)
}

//! The protocol over a reader and a writer, with events of what is followed between the answers.
//!
//! A thread reads lines, since nothing else can wait for input and for changes of files; everything else happens in the loop here.

use std::cell::{Cell, RefCell};
use std::io::{self, BufReader, Read, Write};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender};

use logwood::follow::Hints;
use logwood_rpc::{Dispatcher, Frame, FrameReader, answer_frame, write_line};

use crate::live::{Pace, Wakes};

/// The size of the reads from the input, in bytes.
const BLOCK: usize = 256 * 1024;

/// What the loop is told.
enum Message {
    /// A line of the input.
    Line(Vec<u8>),
    /// A line that is too long.
    TooLong,
    /// The input has ended, or cannot be read.
    End(io::Result<()>),
    /// Something may have changed.
    Woken,
}

/// Answers every line of `input` with one response on `output`, in order, and sends events, until the input ends.
///
/// # Errors
/// What reading the input or writing the output gives.
pub(super) fn serve(
    input: impl Read + Send + 'static,
    output: impl Write,
    dispatcher: &mut Dispatcher,
) -> io::Result<()> {
    // One message at a time, so that input waits in the pipe and not in memory.
    let (sender, receiver) = mpsc::sync_channel(1);
    let waker = sender.clone();
    // Where a message waits already, the loop looks at the hints after it.
    let mut wakes = Wakes::new(move || drop(waker.try_send(Message::Woken)));
    std::thread::spawn(move || read(input, &sender));
    let mut pace = Pace::new();
    let output = Output { inner: RefCell::new(output), failed: Cell::new(None) };
    loop {
        let message = match next(&receiver, dispatcher, &wakes, &pace) {
            Some(Message::End(result)) => return result,
            other => other,
        };
        let mut answer = |frame| answer_frame(dispatcher, frame, &|event| output.send(event));
        match message {
            Some(Message::Line(line)) => output.send(&answer(Frame::Line(&line))),
            Some(Message::TooLong) => output.send(&answer(Frame::TooLong)),
            _ => {}
        }
        wakes.watch(dispatcher.followed());
        if dispatcher.is_following() && pace.wait(wakes.urge(dispatcher.is_behind())).is_zero() {
            let paths = wakes.take(&pace);
            let hints = paths.as_deref().map_or(Hints::All, Hints::Paths);
            dispatcher.poll(hints, &|event| output.send(event));
            pace.looked(paths.is_none());
        }
        if let Some(error) = output.failed.take() {
            return Err(error);
        }
    }
}

/// The next message; none when it is time to look.
fn next(
    receiver: &Receiver<Message>,
    dispatcher: &Dispatcher,
    wakes: &Wakes,
    pace: &Pace,
) -> Option<Message> {
    // The thread that reads tells its end; that it ended without a word cannot be, and would be an end too.
    let gone = || Message::End(Ok(()));
    if !dispatcher.is_following() {
        return Some(receiver.recv().unwrap_or_else(|_| gone()));
    }
    match receiver.recv_timeout(pace.wait(wakes.urge(dispatcher.is_behind()))) {
        Ok(message) => Some(message),
        Err(RecvTimeoutError::Timeout) => None,
        Err(RecvTimeoutError::Disconnected) => Some(gone()),
    }
}

/// Reads lines until the input ends or nobody wants them.
fn read(input: impl Read, sender: &SyncSender<Message>) {
    let mut frames = FrameReader::new(BufReader::with_capacity(BLOCK, input));
    loop {
        let message = match frames.next_frame() {
            Ok(Some(Frame::Line(line))) => Message::Line(line.to_vec()),
            Ok(Some(Frame::TooLong)) => Message::TooLong,
            Ok(None) => Message::End(Ok(())),
            Err(error) => Message::End(Err(error)),
        };
        let last = matches!(message, Message::End(_));
        if sender.send(message).is_err() || last {
            return;
        }
    }
}

/// Where answers and events go; after a failure nothing more does.
struct Output<W> {
    inner: RefCell<W>,
    failed: Cell<Option<io::Error>>,
}

impl<W: Write> Output<W> {
    fn send(&self, line: &[u8]) {
        let failed = self.failed.take();
        let failed = failed.or_else(|| write_line(&mut *self.inner.borrow_mut(), line).err());
        self.failed.set(failed);
    }
}

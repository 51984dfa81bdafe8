//! The protocol over a reader and a writer, such as the standard streams of `logwood rpc`.

use std::cell::RefCell;
use std::io::{self, BufRead, Write};

use logwood::error::{Error, ErrorKind};

use crate::dispatch::Dispatcher;
use crate::frame::{Frame, FrameReader, LINE_LIMIT};
use crate::response;

/// Answers every line of `input` with exactly one response on `output`, in order, until the input ends; before a response that takes
/// long, events tell how far it is.
///
/// # Errors
/// What reading the input or writing the output gives; content never is an error.
pub fn serve(
    input: impl BufRead,
    output: impl Write,
    dispatcher: &mut Dispatcher,
) -> io::Result<()> {
    serve_frames(FrameReader::new(input), output, dispatcher)
}

fn serve_frames(
    mut frames: FrameReader<impl BufRead>,
    output: impl Write,
    dispatcher: &mut Dispatcher,
) -> io::Result<()> {
    let output = RefCell::new(output);
    // Whoever cannot be told of an event cannot be answered either, and that is where it shows.
    let send = |event: &[u8]| drop(write_line(&mut *output.borrow_mut(), event));
    while let Some(frame) = frames.next_frame()? {
        let answer = answer_frame(dispatcher, frame, &send);
        write_line(&mut *output.borrow_mut(), &answer)?;
    }
    Ok(())
}

/// The answer to one frame, without a line end; `events` gets what is sent before it.
pub fn answer_frame(
    dispatcher: &mut Dispatcher,
    frame: Frame<'_>,
    events: &dyn Fn(&[u8]),
) -> Vec<u8> {
    match frame {
        Frame::Line(line) => dispatcher.answer_with_events(line, events),
        Frame::TooLong => response::unreadable(None, &too_long()),
    }
}

/// Writes one line and its line end, and brings it on its way.
///
/// # Errors
/// What writing gives.
pub fn write_line(output: &mut impl Write, line: &[u8]) -> io::Result<()> {
    output.write_all(line)?;
    output.write_all(b"\n")?;
    output.flush()
}

fn too_long() -> Error {
    Error::new(ErrorKind::TooLarge, "cannot read the request")
        .with_why(format!("the line is longer than {} MiB", LINE_LIMIT >> 20))
        .with_hint("nothing of it was done; send it in smaller parts")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dispatch::RpcOptions;

    fn run(input: &[u8], limit: usize) -> Vec<String> {
        let mut out = Vec::new();
        let mut dispatcher = Dispatcher::new(RpcOptions::default());
        serve_frames(FrameReader::with_limit(input, limit), &mut out, &mut dispatcher).unwrap();
        let text = String::from_utf8(out).unwrap();
        assert!(text.is_empty() || text.ends_with('\n'));
        text.lines().map(str::to_owned).collect()
    }

    #[test]
    fn a_line_that_is_too_long_is_answered_and_the_next_one_is_served() {
        let input = [vec![b'x'; 80], b"\n{\"type\":\"get_leaf_id\"}".to_vec()].concat();
        let lines = run(&input, 64);
        assert_eq!(
            lines,
            [
                r#"{"type":"response","command":"parse","success":false,"error":"cannot read the request: the line is longer than 512 MiB; nothing of it was done; send it in smaller parts","errorKind":"too_large"}"#,
                r#"{"type":"response","command":"get_leaf_id","success":true,"data":{"leafId":null}}"#,
            ]
        );
    }

    #[test]
    fn no_input_is_no_output() {
        assert_eq!(run(b"", 64), [""; 0]);
    }

    #[test]
    fn writing_to_a_closed_pipe_ends_it_with_that_error() {
        struct Closed;
        impl Write for Closed {
            fn write(&mut self, _: &[u8]) -> io::Result<usize> {
                Err(io::ErrorKind::BrokenPipe.into())
            }
            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }
        let mut dispatcher = Dispatcher::new(RpcOptions::default());
        let error = serve(&b"{}\n"[..], Closed, &mut dispatcher).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::BrokenPipe);
    }
}

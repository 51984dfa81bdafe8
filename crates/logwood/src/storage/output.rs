//! The bytes of a new file on their way: in blocks, and where the caller allows it, those of a large file on a thread of its own, which
//! also brings them to the disk as they come. So the file is nearly there when its last line is put together.

use std::io;
use std::sync::mpsc::{Receiver, Sender, SyncSender, TryRecvError, channel, sync_channel};
use std::thread::{Builder, JoinHandle};

use super::contract::AppendFile;
use super::metadata::FileId;

/// How much is written at once.
const BLOCK: usize = 64 * 1024;
/// From this size on, in bytes, a thread writes; the most that is taken at once.
const LARGE: usize = 8 * 1024 * 1024;
/// How much is brought to the disk at once, in bytes, where the thread has to wait for more anyway.
const SYNC: usize = 4 * 1024 * 1024;
/// How many blocks may wait for the thread: more than come while it waits for the disk.
const QUEUE: usize = 3 * SYNC / BLOCK / 2;

/// A file that is written from its start to its end.
#[derive(Debug)]
pub(super) struct Output {
    place: Place,
    buffer: Vec<u8>,
    /// Bytes that left the buffer.
    written: usize,
    sync: bool,
    /// Whether a thread may write.
    background: bool,
}

#[derive(Debug)]
enum Place {
    Here(Box<dyn AppendFile>),
    /// With a thread; and which file it is.
    Away(Writer, Option<FileId>),
    /// The thread died with it.
    Lost,
}

impl Output {
    /// A file that is empty; what is written of it is brought to the disk when all is there.
    pub(super) fn new(file: Box<dyn AppendFile>) -> Self {
        let buffer = Vec::with_capacity(BLOCK);
        Self { place: Place::Here(file), buffer, written: 0, sync: true, background: false }
    }

    /// Whether the thread brings to the disk what it wrote.
    pub(super) fn set_sync(&mut self, sync: bool) {
        self.sync = sync;
    }

    /// Lets a thread write, from now on.
    pub(super) fn allow_thread(&mut self, yes: bool) {
        self.background = yes;
    }

    /// Takes bytes, not always all of them.
    pub(super) fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.buffer.len() >= BLOCK {
            self.write_out()?;
        }
        let taken = bytes.get(..LARGE).unwrap_or(bytes);
        self.buffer.extend_from_slice(taken);
        Ok(taken.len())
    }

    /// Writes everything that was taken; the file, for what else is to be done with it.
    pub(super) fn flush(&mut self) -> io::Result<&mut (dyn AppendFile + 'static)> {
        self.write_out()?;
        self.come_back()
    }

    /// The file, once nothing is on its way any more; what could not be written is told.
    pub(super) fn come_back(&mut self) -> io::Result<&mut (dyn AppendFile + 'static)> {
        let mut outcome = Ok(());
        if let Place::Away(..) = &self.place
            && let Place::Away(writer, _) = std::mem::replace(&mut self.place, Place::Lost)
            && let Some((file, written)) = writer.finish()
        {
            (self.place, outcome) = (Place::Here(file), written);
        }
        match &mut self.place {
            Place::Here(file) => outcome.map(|()| &mut **file),
            Place::Away(..) | Place::Lost => Err(io::Error::other("the writing thread died")),
        }
    }

    /// Which file it is.
    pub(super) fn identity(&self) -> io::Result<Option<FileId>> {
        match &self.place {
            Place::Here(file) => file.metadata().map(|metadata| metadata.identity),
            Place::Away(_, identity) => Ok(*identity),
            Place::Lost => Err(io::Error::other("the writing thread died")),
        }
    }

    fn write_out(&mut self) -> io::Result<()> {
        if self.background && self.written >= LARGE {
            self.go_away();
        }
        self.written += self.buffer.len();
        match &mut self.place {
            Place::Here(file) => append_all(&mut **file, &mut self.buffer),
            Place::Away(writer, _) => match writer.write(std::mem::take(&mut self.buffer)) {
                Some(empty) => {
                    self.buffer = empty;
                    Ok(())
                }
                // It stopped at an error.
                None => self.come_back().map(drop),
            },
            Place::Lost => self.come_back().map(drop),
        }
    }

    /// Gives the file to a thread; without one it stays here.
    fn go_away(&mut self) {
        let Place::Here(file) = &self.place else { return };
        let Ok(identity) = file.metadata().map(|metadata| metadata.identity) else { return };
        let Ok((writer, door)) = Writer::start(self.sync) else { return };
        let away = Place::Away(writer, identity);
        if let Place::Here(file) = std::mem::replace(&mut self.place, away)
            && door.send(file).is_err()
        {
            self.place = Place::Lost;
        }
    }
}

/// The thread, which waits for blocks.
#[derive(Debug)]
struct Writer {
    blocks: SyncSender<Vec<u8>>,
    spare: Receiver<Vec<u8>>,
    thread: JoinHandle<Option<Done>>,
}

type Done = (Box<dyn AppendFile>, io::Result<()>);

impl Writer {
    /// A thread, and the door through which it gets its file.
    fn start(sync: bool) -> io::Result<(Self, Sender<Box<dyn AppendFile>>)> {
        let (blocks, incoming) = sync_channel(QUEUE);
        let (outgoing, spare) = channel();
        let (door, entrance) = channel::<Box<dyn AppendFile>>();
        let work = move || Some(write_blocks(entrance.recv().ok()?, &incoming, &outgoing, sync));
        let thread = Builder::new().name("logwood-write".to_owned()).spawn(work)?;
        Ok((Self { blocks, spare, thread }, door))
    }

    /// Hands a block over and gives an empty one for it; none when the thread has stopped.
    fn write(&self, block: Vec<u8>) -> Option<Vec<u8>> {
        self.blocks.send(block).ok()?;
        Some(self.spare.try_recv().unwrap_or_else(|_| Vec::with_capacity(BLOCK)))
    }

    fn finish(self) -> Option<Done> {
        let Self { blocks, spare, thread } = self;
        drop((blocks, spare));
        thread.join().ok().flatten()
    }
}

fn write_blocks(
    mut file: Box<dyn AppendFile>,
    blocks: &Receiver<Vec<u8>>,
    spare: &Sender<Vec<u8>>,
    sync: bool,
) -> Done {
    let mut unsynced = 0;
    let outcome = loop {
        let mut block = match blocks.try_recv() {
            Ok(block) => block,
            Err(TryRecvError::Disconnected) => break Ok(()),
            Err(TryRecvError::Empty) => {
                // There is nothing to write, so the disk may have its turn.
                if sync && unsynced >= SYNC {
                    unsynced = 0;
                    if let Err(error) = file.sync_data() {
                        break Err(error);
                    }
                }
                let Ok(block) = blocks.recv() else { break Ok(()) };
                block
            }
        };
        unsynced += block.len();
        if let Err(error) = append_all(&mut *file, &mut block) {
            break Err(error);
        }
        // Nobody may want it any more.
        let _ = spare.send(block);
    };
    (file, outcome)
}

/// Writes a block and empties it; after an error what was written is taken off.
fn append_all(file: &mut dyn AppendFile, block: &mut Vec<u8>) -> io::Result<()> {
    let mut done = 0;
    let outcome = loop {
        let rest = block.get(done..).unwrap_or_default();
        if rest.is_empty() {
            break Ok(());
        }
        match file.append(rest) {
            Ok(0) => break Err(io::ErrorKind::WriteZero.into()),
            Ok(count) => done += count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => break Err(error),
        }
    };
    block.drain(..done);
    outcome
}

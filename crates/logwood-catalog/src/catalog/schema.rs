//! The tables, and their version.

use logwood::inventory::FACTS_VERSION;

/// Marks the file as a catalog of logwood's: `lgwd`.
pub(super) const APPLICATION: i32 = 0x6c67_7764;

/// Changes with every change of the tables.
const TABLES_VERSION: u32 = 1;

/// The version that a file must have to be read: that of the tables and that of what stands in them.
pub(super) const VERSION: u32 = TABLES_VERSION * 1000 + FACTS_VERSION;

/// `file` holds a row for each file that a listing looked at, together by folder, so that a listing reads them in one go. `id` is
/// never given twice: what hangs on a file that was written anew does not come back to life. `active` and `hidden` find the first
/// page, of places that are `complete`; `record` is what the file said, behind a sum that tells bytes that changed on the disk.
pub(super) const TABLES: &str = "
CREATE TABLE meta(key TEXT PRIMARY KEY, value) WITHOUT ROWID;
CREATE TABLE complete(root BLOB, layout TEXT, PRIMARY KEY(root, layout)) WITHOUT ROWID;
CREATE TABLE folder(id INTEGER PRIMARY KEY, path BLOB NOT NULL UNIQUE);
CREATE TABLE file(
  folder INTEGER NOT NULL,
  name BLOB NOT NULL,
  id INTEGER NOT NULL,
  active INTEGER,
  hidden INTEGER NOT NULL,
  record BLOB NOT NULL,
  PRIMARY KEY(folder, name)
) WITHOUT ROWID;
CREATE UNIQUE INDEX file_id ON file(id);
CREATE INDEX file_active ON file(hidden, active);
CREATE TABLE checkpoint(file INTEGER PRIMARY KEY, state BLOB NOT NULL);
INSERT INTO meta VALUES ('next_file', 1);
";

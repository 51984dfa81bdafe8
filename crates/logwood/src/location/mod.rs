//! Computes where sessions live: agent directory, roots, folder and file names; never looks at the disk.

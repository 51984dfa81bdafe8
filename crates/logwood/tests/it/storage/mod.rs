//! Storages: the contract on each of them, whole-file replacement under every fault, locks between processes, and what only
//! a real disk shows.

mod contract;
mod disk;
mod large;
mod lock_file;
mod locks;
mod replace;
mod synced;

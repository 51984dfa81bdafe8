//! Gives a JSON line its meaning: header, entries, messages, content blocks, usage.

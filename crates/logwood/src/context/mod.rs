//! Leaf to root into the messages, model and thinking level that a model would get.

//! Ids and parents: leaf, branch path, children, labels, common ancestor; cycles broken.

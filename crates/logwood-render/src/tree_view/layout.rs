//! From a tree to rows: who is shown, in which order, how far indented, and behind which lines.

use logwood::tree::{NodeId, SessionTree};

use super::row::{Connector, Fold, Gutter, Row};

/// Stands for "none" in numbers of rows and gutters.
const NONE: u32 = u32::MAX;

/// The rows of a tree, top to bottom.
#[derive(Debug, Default)]
pub struct Layout {
    /// The rows.
    pub rows: Vec<Row>,
    /// The lines that run down beside rows; each knows the one to its left.
    pub(super) gutters: Vec<Gutter>,
    /// Whether several roots are shown: everything is drawn one level to the left then.
    pub(super) several_roots: bool,
}

/// The shown children of one shown node, or the shown roots.
#[derive(Clone, Copy, Default)]
struct Family {
    size: u32,
    last: u32,
}

impl Layout {
    /// Lays out the entries that are `visible`, without those below a `folded` one.
    pub fn new(
        tree: &SessionTree,
        visible: impl Fn(NodeId) -> bool,
        folded: impl Fn(NodeId) -> bool,
    ) -> Self {
        let on_path = path_marks(tree);
        let mut nodes = Vec::new();
        let mut parents = Vec::new();
        // For each node the row that its children hang on; a folded one hides them.
        let mut row_of = vec![(NONE, false); tree.len()];
        for node in preorder(tree, &on_path) {
            let above = tree.parent(node).and_then(|parent| row_of.get(parent.index()));
            let (mut row, mut hidden) = above.copied().unwrap_or((NONE, false));
            if !hidden && visible(node) {
                parents.push(row);
                row = nodes.len() as u32;
                hidden = folded(node);
                nodes.push(node);
            }
            if let Some(slot) = row_of.get_mut(node.index()) {
                *slot = (row, hidden);
            }
        }
        let mut layout = Self::default();
        layout.draw(&nodes, &parents, &on_path, &folded);
        layout
    }

    fn draw(
        &mut self,
        nodes: &[NodeId],
        parents: &[u32],
        on_path: &[bool],
        folded: &impl Fn(NodeId) -> bool,
    ) {
        let (roots, families) = families(parents);
        self.several_roots = roots.size > 1;
        for (number, (node, parent)) in nodes.iter().zip(parents).enumerate() {
            let siblings = families.get(*parent as usize).copied().unwrap_or(roots);
            let last = siblings.last == number as u32;
            let children = families.get(number).map_or(0, |family| family.size);
            let starts_segment = *parent == NONE || siblings.size > 1;
            let row = Row {
                node: *node,
                on_path: on_path.get(node.index()).copied().unwrap_or(false),
                fold: match (folded(*node), children > 0 && starts_segment) {
                    (true, _) => Fold::Folded,
                    (false, true) => Fold::Foldable,
                    (false, false) => Fold::Leaf,
                },
                ..self.placed(*parent, siblings.size > 1, last)
            };
            self.rows.push(row);
        }
    }

    /// Indent, connector and gutters of the next row, whose parent has several children or not.
    fn placed(&mut self, parent: u32, branches: bool, last: bool) -> Row {
        let Some(above) = self.rows.get(parent as usize).copied() else {
            let indent = u32::from(self.several_roots);
            return Row::root(indent, self.several_roots);
        };
        let deeper = branches || (above.branched && above.indent > 0);
        let gutter = self.gutter_below(&above);
        let connector = match (branches, last) {
            (false, _) => Connector::None,
            (true, false) => Connector::Middle,
            (true, true) => Connector::Last,
        };
        Row {
            indent: above.indent + u32::from(deeper),
            branched: branches,
            connector,
            gutter,
            ..Row::root(0, false)
        }
    }

    /// The gutter for the children of a row: one more where the row has a connector.
    fn gutter_below(&mut self, above: &Row) -> u32 {
        if above.connector == Connector::None {
            return above.gutter;
        }
        let position = self.display_indent(above).saturating_sub(1);
        let shown = above.connector == Connector::Middle;
        self.gutters.push(Gutter { position, shown, left: above.gutter });
        (self.gutters.len() - 1) as u32
    }

    /// The levels of three columns before the text of a row.
    pub(super) fn display_indent(&self, row: &Row) -> u32 {
        row.indent.saturating_sub(u32::from(self.several_roots))
    }
}

/// The shown roots, and for each row its shown children.
fn families(parents: &[u32]) -> (Family, Vec<Family>) {
    let mut roots = Family::default();
    let mut families = vec![Family::default(); parents.len()];
    for (row, parent) in parents.iter().enumerate() {
        let family = families.get_mut(*parent as usize).unwrap_or(&mut roots);
        family.size += 1;
        family.last = row as u32;
    }
    (roots, families)
}

fn path_marks(tree: &SessionTree) -> Vec<bool> {
    let mut marks = vec![false; tree.len()];
    for node in tree.leaf().into_iter().flat_map(|leaf| tree.ancestors(leaf)) {
        if let Some(mark) = marks.get_mut(node.index()) {
            *mark = true;
        }
    }
    marks
}

/// Depth first; the sibling on the path of the leaf first, the others by time, roots in file order.
fn preorder(tree: &SessionTree, on_path: &[bool]) -> Vec<NodeId> {
    let off_path = |node: &NodeId| !on_path.get(node.index()).copied().unwrap_or(false);
    let mut order = Vec::with_capacity(tree.len());
    let mut stack: Vec<_> = tree.roots().collect();
    stack.sort_by_key(off_path);
    stack.reverse();
    while let Some(node) = stack.pop() {
        order.push(node);
        let from = stack.len();
        stack.extend(tree.children(node));
        if let Some(children) = stack.get_mut(from..) {
            let time = |node: &NodeId| tree.timestamp_ms(*node).unwrap_or(i64::MAX);
            children.sort_by_key(|node| (off_path(node), time(node)));
            children.reverse();
        }
    }
    order
}

"""The Merkle tree, of the log and of commitments (FORMAT section 3)."""
from .text import H, need


def leaf_hash(data):
    return H(b"\0", data)

def node_hash(left, right):
    return H(b"\1", left, right)

def root_of(leaves):
    if len(leaves) == 1:
        return leaves[0]
    split = 1
    while split * 2 < len(leaves):
        split *= 2
    return node_hash(root_of(leaves[:split]), root_of(leaves[split:]))

def root_behind(first, left, leaves):
    """Of the leaves [0, first), known by the subtrees over the set bits of first, and those behind
    them."""
    sizes = [1 << bit for bit in reversed(range(first.bit_length())) if first >> bit & 1]
    need(len(sizes) == len(left), "not one hash for each set bit")
    edge = list(zip(sizes, left))
    for leaf in leaves:
        edge.append((1, leaf))
        while len(edge) > 1 and edge[-2][0] == edge[-1][0]:
            (size, one), (_, other) = edge[-2:]
            edge[-2:] = [(2 * size, node_hash(one, other))]
    _, root = edge.pop()
    while edge:
        root = node_hash(edge.pop()[1], root)
    return root

def root_from_path(index, size, leaf, path):
    """Walks down to know on which side each hash stands, then up."""
    need(0 <= index < size, "index outside the tree")
    sides, begin, end = [], 0, size
    while end - begin > 1:
        split = 1
        while split * 2 < end - begin:
            split *= 2
        left = index < begin + split
        sides.append(left)
        begin, end = (begin, begin + split) if left else (begin + split, end)
    need(len(sides) == len(path), "a path of another length")
    for left, other in zip(reversed(sides), path):
        leaf = node_hash(leaf, other) if left else node_hash(other, leaf)
    return leaf

def consistent(size, root, new_size, new_root, proof):
    """RFC 6962 section 2.1.2: the first `size` leaves of the new tree are those of the old one."""
    rest = list(proof)

    def walk(m, n, whole):
        if m == n:
            one = root if whole else rest.pop(0)
            return one, one
        split = 1
        while split * 2 < n:
            split *= 2
        if m <= split:
            old, new = walk(m, split, whole)
            return old, node_hash(new, rest.pop(0))
        old, new = walk(m - split, n - split, False)
        left = rest.pop(0)
        return node_hash(left, old), node_hash(left, new)
    need(0 < size <= new_size, "no consistency with an empty or larger tree")
    try:
        old, new = walk(size, new_size, True)
    except IndexError:
        return False
    return old == root and new == new_root and not rest

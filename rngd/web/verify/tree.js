// The Merkle tree of the log and of commitments: roots, inclusion, consistency (FORMAT.md, section
// 3; RFC 6962, 2.1). Sizes are below 2^53: halves are found by division, never by 32-bit shifts.
import { same } from './bytes.js';
import { H } from './hashes.js';
import { need } from './refused.js';

const LEAF = Uint8Array.of(0);
const NODE = Uint8Array.of(1);

export const leafHash = (data) => H(LEAF, data);
export const nodeHash = (left, right) => H(NODE, left, right);

/// Leaves under the left child of a tree of `size` leaves, more than one.
function split(size) {
  let left = 1;
  while (left * 2 < size) left *= 2;
  return left;
}

/// Of one leaf hash or more, level by level: an odd one at the end goes up as it is.
export async function rootOf(leaves) {
  need(leaves.length > 0, 'a tree without leaves');
  let level = leaves;
  while (level.length > 1) {
    const above = [];
    for (let i = 0; i < level.length; i += 2) {
      above.push(i + 1 < level.length ? nodeHash(level[i], level[i + 1]) : level[i]);
    }
    level = await Promise.all(above);
  }
  return level[0];
}

/// Of the leaves [0, first), known by one hash for each set bit of `first`, and the leaf hashes
/// behind them.
export async function rootBehind(first, left, leaves) {
  const sizes = [];
  for (let rest = first, bit = 2 ** 52; bit >= 1; bit /= 2) {
    if (rest >= bit) {
      sizes.push(bit);
      rest -= bit;
    }
  }
  need(sizes.length === left.length, 'not one hash for each set bit');
  const edge = sizes.map((size, i) => ({ size, hash: left[i] }));
  for (const leaf of leaves) {
    edge.push({ size: 1, hash: leaf });
    while (edge.length > 1 && edge.at(-2).size === edge.at(-1).size) {
      const right = edge.pop();
      const whole = edge.at(-1);
      whole.hash = await nodeHash(whole.hash, right.hash);
      whole.size *= 2;
    }
  }
  need(edge.length > 0, 'a tree without leaves');
  let root = edge.pop().hash;
  while (edge.length > 0) root = await nodeHash(edge.pop().hash, root);
  return root;
}

/// Walks down to know on which side each hash stands, then up.
export async function rootFromPath(index, size, leaf, path) {
  need(Number.isSafeInteger(size) && index >= 0 && index < size, 'an index outside the tree');
  const isLeft = [];
  for (let begin = 0, end = size; end - begin > 1;) {
    const middle = begin + split(end - begin);
    isLeft.push(index < middle);
    if (index < middle) end = middle;
    else begin = middle;
  }
  need(isLeft.length === path.length, 'a path of another length');
  let hash = leaf;
  for (const [i, other] of path.entries()) {
    hash = isLeft[isLeft.length - 1 - i] ? await nodeHash(hash, other)
      : await nodeHash(other, hash);
  }
  return hash;
}

/// Whether the first `size` leaves of the new tree are those of the old one, as the proof shows.
export async function consistent(size, root, newSize, newRoot, proof) {
  need(size > 0 && size <= newSize && Number.isSafeInteger(newSize),
       'no consistency with an empty or larger tree');
  let used = 0;
  const next = () => {
    need(used < proof.length, 'a consistency proof that is too short');
    return proof[used++];
  };
  /// Roots of the old and new tree over the same begin; `whole`: the old root itself is this
  /// subtree.
  const walk = async (old, all, whole) => {
    if (old === all) {
      const hash = whole ? root : next();
      return [hash, hash];
    }
    const left = split(all);
    if (old <= left) {
      const [below, above] = await walk(old, left, whole);
      return [below, await nodeHash(above, next())];
    }
    const [below, above] = await walk(old - left, all - left, false);
    const shared = next();
    return [await nodeHash(shared, below), await nodeHash(shared, above)];
  };
  const [old, all] = await walk(size, newSize, true);
  return same(old, root) && same(all, newRoot) && used === proof.length;
}

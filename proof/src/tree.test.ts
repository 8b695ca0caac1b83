import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toHex } from './bytes.ts';
import {
  IncrementalTree,
  type NodePosition,
  type ReadNodes,
  appendLeaves,
  consistencyPath,
  emptyRoot,
  inclusionPath,
  hashLeaf,
  hashChildren,
  computeRoot,
  verifyConsistency,
  verifyInclusion,
} from './tree.ts';

// An independent literal implementation of RFC 6962, section 2.1, with another SHA-256.
const sha = (...parts: (string | Uint8Array)[]) => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
};
const half = (n: number) => {
  let k = 1;
  while (k * 2 < n) k *= 2;
  return k;
};
const plainRoot = (leaves: string[]): Buffer => {
  if (leaves.length === 0) return sha('');
  if (leaves.length === 1) return sha(Buffer.of(0), leaves[0] ?? '');
  const k = half(leaves.length);
  return sha(Buffer.of(1), plainRoot(leaves.slice(0, k)), plainRoot(leaves.slice(k)));
};
const plainPath = (m: number, leaves: string[]): Buffer[] => {
  if (leaves.length === 1) return [];
  const k = half(leaves.length);
  return m < k
    ? [...plainPath(m, leaves.slice(0, k)), plainRoot(leaves.slice(k))]
    : [...plainPath(m - k, leaves.slice(k)), plainRoot(leaves.slice(0, k))];
};
const plainProof = (m: number, leaves: string[], whole = true): Buffer[] => {
  if (m === leaves.length) return whole ? [] : [plainRoot(leaves)];
  const k = half(leaves.length);
  return m <= k
    ? [...plainProof(m, leaves.slice(0, k), whole), plainRoot(leaves.slice(k))]
    : [...plainProof(m - k, leaves.slice(k), false), plainRoot(leaves.slice(0, k))];
};

/** A store of nodes that counts reads. */
function createStore() {
  const nodes = new Map<string, Uint8Array>();
  const key = ({ level, index }: NodePosition) => `${level}/${index}`;
  const store = {
    size: 0,
    read: 0,
    nodes,
    readNodes: ((positions) => {
      store.read += positions.length;
      return positions.map((position) => {
        const hash = nodes.get(key(position));
        if (!hash) throw new Error(`No stored node ${key(position)}`);
        return hash;
      });
    }) as ReadNodes,
    async append(leaves: string[]) {
      for (const node of await appendLeaves(store.size, leaves.map(hashLeaf), store.readNodes)) {
        if (nodes.has(key(node))) throw new Error(`${key(node)} is stored twice`);
        nodes.set(key(node), node.hash);
      }
      store.size += leaves.length;
    },
  };
  return store;
}
const stored = async (leaves: string[]) => {
  const tree = createStore();
  await tree.append(leaves);
  return tree;
};
const hex = (hashes: Uint8Array[]) => hashes.map((hash) => Buffer.from(hash).toString('hex'));
const flipped = (hash: Uint8Array) => hash.map((byte, at) => (at === 31 ? byte ^ 1 : byte));
const numbered = (size: number) => Array.from({ length: size }, (_, index) => `leaf ${index}`);

test('computes the known roots of the RFC 6962 test tree leaf by leaf', async () => {
  const leaves = ['', '\0', '\x10', ' !', '01', '@ABC', 'PQRSTUVW', '`abcdefghijklmno'];
  const known = [
    'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
    'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
    'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
    'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
    '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
    '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
    'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
    '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
  ];
  const grown = new IncrementalTree();
  const roots = [toHex(grown.root())];
  for (const leaf of leaves) {
    grown.add(leaf);
    roots.push(toHex(grown.root()));
  }
  expect(roots).toEqual(known);
  const tree = await stored(leaves);
  expect(hex(await Promise.all(known.map((_, size) => computeRoot(size, tree.readNodes))))).toEqual(known);
});

test('hashes leaves of any length and script', () => {
  for (const leaf of ['', 'a'.repeat(254), 'a'.repeat(255), 'a'.repeat(256), 'é', 'ā'.repeat(127), 'ā'.repeat(128), 'ā'.repeat(500)]) {
    expect(toHex(hashLeaf(leaf)), `${leaf.length}`).toBe(sha(Buffer.of(0), leaf).toString('hex'));
  }
});

test('agrees with a literal implementation of the RFC in a thousand random logs', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 33 }).chain((size) =>
        fc.record({
          leaves: fc.array(fc.string({ maxLength: 12 }), { minLength: size, maxLength: size }),
          index: fc.nat(size - 1),
          from: fc.nat(size),
        }),
      ),
      async ({ leaves, index, from }) => {
        const tree = await stored(leaves);
        const size = leaves.length;
        const root = await computeRoot(size, tree.readNodes);
        const fromRoot = await computeRoot(from, tree.readNodes);
        expect(hex([root, fromRoot])).toEqual(hex([plainRoot(leaves), plainRoot(leaves.slice(0, from))]));
        const path = await inclusionPath(index, size, tree.readNodes);
        expect(hex(path)).toEqual(hex(plainPath(index, leaves)));
        const proof = await consistencyPath(from, size, tree.readNodes);
        expect(hex(proof)).toEqual(from === 0 ? [] : hex(plainProof(from, leaves)));
        expect(verifyInclusion({ leaf: hashLeaf(leaves[index] ?? ''), index, size, path, root })).toBe(true);
        expect(verifyConsistency({ from, to: size, fromRoot, toRoot: root, path: proof })).toBe(true);
      },
    ),
    { numRuns: 1000, seed: 6962 },
  );
});

test('appending leaves one by one or together gives the same tree and stores no node twice', async () => {
  const leaves = numbered(41);
  const [together, single] = [await stored(leaves), createStore()];
  for (const leaf of leaves) await single.append([leaf]);
  expect(single.nodes).toEqual(together.nodes);
});

test('reads a few dozen nodes for a root or proof of twenty thousand leaves', async () => {
  const size = 19_999;
  const tree = await stored(numbered(size));
  tree.read = 0;
  await computeRoot(size, tree.readNodes);
  await inclusionPath(7000, size, tree.readNodes);
  await consistencyPath(12_345, size, tree.readNodes);
  await tree.append(['one more']);
  expect(tree.read).toBeLessThan(100);
});

test('an inclusion proof holds for its leaf at its index only', async () => {
  const leaves = numbered(11);
  const tree = await stored(leaves);
  const root = await computeRoot(11, tree.readNodes);
  for (const [index, text] of leaves.entries()) {
    const path = await inclusionPath(index, 11, tree.readNodes);
    const right = { leaf: hashLeaf(text), index, size: 11, path, root };
    expect(verifyInclusion(right)).toBe(true);
    for (const wrong of [
      { leaf: hashLeaf(`${text}.`) },
      { index: index === 0 ? 1 : index - 1 },
      { index: 11 },
      { index: -1 },
      { index: index + 0.5 },
      { root: flipped(root) },
      { path: path.slice(1) },
      { path: [...path, emptyRoot] },
      ...path.map((_, at) => ({ path: path.with(at, flipped(path[at] ?? emptyRoot)) })),
      { path: path.with(0, (path[0] ?? emptyRoot).slice(1)) },
    ]) {
      expect(verifyInclusion({ ...right, ...wrong }), `${index} ${JSON.stringify(Object.keys(wrong))}`).toBe(false);
    }
  }
});

test('a consistency proof holds between its two trees only', async () => {
  const tree = await stored(numbered(13));
  const toRoot = await computeRoot(13, tree.readNodes);
  for (let from = 1; from <= 13; from += 1) {
    const fromRoot = await computeRoot(from, tree.readNodes);
    const path = await consistencyPath(from, 13, tree.readNodes);
    const right = { from, to: 13, fromRoot, toRoot, path };
    expect(verifyConsistency(right)).toBe(true);
    for (const wrong of [
      { fromRoot: flipped(fromRoot) },
      { toRoot: flipped(toRoot) },
      { from: from + 1 },
      { from: 0 },
      { to: from - 1 },
      { path: [...path, emptyRoot] },
      ...(path.length > 0 ? [{ path: path.slice(1) }, { path: path.slice(0, -1) }, { path: path.with(0, new Uint8Array(31)) }] : []),
      ...path.map((_, at) => ({ path: path.with(at, flipped(path[at] ?? emptyRoot)) })),
    ]) {
      expect(verifyConsistency({ ...right, ...wrong }), `${from} ${JSON.stringify(Object.keys(wrong))}`).toBe(false);
    }
  }
});

test('every log extends the empty one, whose root is the hash of no bytes', () => {
  const toRoot = hashChildren(hashLeaf('a'), hashLeaf('b'));
  const right = { from: 0, to: 2, fromRoot: emptyRoot, toRoot, path: [] };
  expect(verifyConsistency(right)).toBe(true);
  expect(verifyConsistency({ ...right, to: 0, toRoot: emptyRoot })).toBe(true);
  for (const wrong of [{ fromRoot: toRoot }, { path: [toRoot] }, { to: 0 }]) expect(verifyConsistency({ ...right, ...wrong })).toBe(false);
});

test('refuses proofs of missing leaves and sizes', async () => {
  const tree = await stored(numbered(3));
  await expect(inclusionPath(3, 3, tree.readNodes)).rejects.toThrow('no leaf 3 among 3');
  await expect(inclusionPath(-1, 3, tree.readNodes)).rejects.toThrow(RangeError);
  await expect(consistencyPath(4, 3, tree.readNodes)).rejects.toThrow('never had 4');
});

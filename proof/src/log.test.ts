import { expect, test } from 'vitest';
import { toHex } from './bytes.ts';
import { formatLeaf, formatLeafTime, parseLogText, parseLeaf, replayLog } from './log.ts';
import { IncrementalTree, emptyRoot } from './tree.ts';
import { voidReasons } from './void-reasons.ts';

const [a, b, c] = ['a', 'b', 'c'].map((digit) => digit.repeat(32)) as [string, string, string];
const at = '2026-11-21T09:30:00Z';

test('formats a leaf as documented and parses it', () => {
  const issued = { kind: 'issued', entryId: a, tickets: 5, at } as const;
  expect(formatLeaf(issued)).toBe(`+ ${a} 5 ${at}`);
  expect(parseLeaf(formatLeaf(issued))).toEqual(issued);
  for (const reason of voidReasons) {
    const voided = { kind: 'voided', entryId: a, reason, at } as const;
    expect(formatLeaf(voided)).toBe(`- ${a} ${reason} ${at}`);
    expect(parseLeaf(formatLeaf(voided))).toEqual(voided);
  }
  expect(formatLeafTime(new Date('2026-11-21T09:30:00.999Z'))).toBe(at);
});

test.each([
  '',
  `+ ${a} 5`,
  `+ ${a} 0 ${at}`,
  `+ ${a} -1 ${at}`,
  `+ ${a} 05 ${at}`,
  `+ ${a} 1.5 ${at}`,
  `+ ${a} 9007199254740992 ${at}`,
  `+ ${a} fraud ${at}`,
  `- ${a} 5 ${at}`,
  `- ${a} because ${at}`,
  `* ${a} 5 ${at}`,
  `+ ${a.toUpperCase()} 5 ${at}`,
  `+ ${a.slice(1)} 5 ${at}`,
  `+  ${a} 5 ${at}`,
  `+ ${a} 5 ${at} `,
  ` + ${a} 5 ${at}`,
  `+ ${a} 5 2026-11-21 09:30:00Z`,
  `+ ${a} 5 2026-13-21T09:30:00Z`,
  `+ ${a} 5 2026-11-21T09:30:00.000Z`,
  `+ ${a}_5 ${at}`,
  `+ ${a} 5_${at}`,
  `+ ${a} 5x ${at}`,
  `+ ${a} 5 2026-11-21T09:30:00+`,
])('rejects “%s” as a leaf', (text) => {
  expect(parseLeaf(text)).toBeNull();
});

test('replays a log to its active entries and counts void ones by reason', () => {
  const leaves = [`+ ${b} 1 ${at}`, `+ ${a} 5 ${at}`, `- ${b} swapped ${at}`, `+ ${c} 2 ${at}`];
  const replay = replayLog(leaves, [0, 2, 4, 9]);
  expect(replay.faults).toEqual([]);
  expect(replay.size).toBe(4);
  expect(replay.entries).toEqual([
    { id: a, tickets: 5 },
    { id: c, tickets: 2 },
  ]);
  expect(replay.voided).toEqual({ administrator: 0, suspended: 0, deleted: 0, swapped: 1, fraud: 0, unconfirmed: 0 });
  const computeRoot = (texts: string[]) => {
    const tree = new IncrementalTree();
    for (const text of texts) tree.add(text);
    return toHex(tree.root());
  };
  expect(toHex(replay.root)).toBe(computeRoot(leaves));
  expect([...replay.rootsAt].map(([size, root]) => [size, toHex(root)])).toEqual([
    [0, toHex(emptyRoot)],
    [2, computeRoot(leaves.slice(0, 2))],
    [4, computeRoot(leaves)],
  ]);
});

test('reports violations with their line, and void entries stay void', () => {
  const replay = replayLog([
    `+ ${a} 5 ${at}`,
    `+ ${a} 50 ${at}`,
    `- ${b} fraud ${at}`,
    `- ${a} fraud ${at}`,
    `- ${a} fraud ${at}`,
    `+ ${a} 5 ${at}`,
    'nothing',
  ]);
  expect(replay.faults).toEqual([
    `line 2: entry ${a} is issued a second time`,
    `line 3: entry ${b} is voided before it was issued`,
    `line 5: entry ${a} is voided a second time`,
    `line 6: entry ${a} is issued a second time`,
    'line 7: is not a leaf of a ticket log',
  ]);
  expect(replay.entries).toEqual([]);
  expect(replay.voided.fraud).toBe(1);
});

test('parses log text with any line ends; an empty text is an empty log', () => {
  expect(parseLogText('')).toEqual([]);
  expect(parseLogText('x\ny\n')).toEqual(['x', 'y']);
  expect(parseLogText('x\r\ny')).toEqual(['x', 'y']);
  expect(parseLogText('x\n\n')).toEqual(['x', '']);
});

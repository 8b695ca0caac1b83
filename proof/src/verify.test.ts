import { expect, test } from 'vitest';
import { quicknet } from './beacon.ts';
import { toBase64 } from './bytes.ts';
import { signHead } from './checkpoint.ts';
import { replayLog } from './log.ts';
import { signSandboxRound } from './sandbox-key.ts';
import { signTestHead, idOf, createTestDraw, createTestLeaves, otherKey, siteKey } from './testing/test-draw.ts';
import { checkDraw, type Evidence, notReal, type Step, verifyDraw } from './verify.ts';

const made = createTestDraw();
const proofText = JSON.stringify(made.proof);
const mail = signTestHead(made.leaves.slice(0, 5));
const whole: Evidence = { proof: proofText, log: made.log, mail, commitment: JSON.stringify(made.commitment) };

const failing = (evidence: Evidence) =>
  verifyDraw(evidence)
    .steps.filter(({ state }) => state === 'failed')
    .map(({ name }) => name);
const details = (evidence: Evidence, name: Step['name']) =>
  verifyDraw(evidence)
    .steps.find((step) => step.name === name)
    ?.details.join('\n') ?? '';
/** The proof with changes; those of beacon and log are merged separately. */
type Change = { beacon?: object | null; log?: object } & Record<string, unknown>;
const changed = ({ beacon, log, ...rest }: Change, from: object = made.proof) => {
  const before = from as typeof made.proof;
  const changes = {
    ...rest,
    ...(beacon !== undefined && { beacon: beacon && { ...before.beacon, ...beacon } }),
    ...(log && { log: { ...before.log, ...log } }),
  };
  return { proof: JSON.stringify({ ...before, ...changes }) };
};

test('verifies every step of an honest draw and names its chain and limits', () => {
  const verdict = verifyDraw(whole);
  expect(verdict.steps.map(({ name, state }) => [name, state])).toEqual(
    ['file', 'entries', 'root', 'round', 'signature', 'winner', 'head', 'log', 'mail', 'commitment'].map((name) => [name, 'passed']),
  );
  expect(verdict).toMatchObject({ isValid: true, isDrawn: true, chain: 'sandbox', winner: made.proof.winner });
  expect(details(whole, 'signature')).toBe(notReal);
  expect(details(whole, 'mail')).toContain('5 of 13 leaves');
  expect(verdict.limits).toEqual([
    'That the people behind the entries are different, real people.',
    'That an email was sent to everyone who was issued a ticket.',
  ]);
});

test('verifies the proof alone and reports the rest as unchecked', () => {
  const verdict = verifyDraw({ proof: proofText });
  const unchecked = verdict.steps.filter(({ state }) => state === 'not-checked').map(({ name }) => name);
  expect(unchecked).toEqual(['log', 'mail', 'commitment']);
  expect(verdict.isValid).toBe(true);
  expect(verdict.limits).toHaveLength(5);
});

test('yields steps one at a time', () => {
  const steps = checkDraw(whole);
  expect(steps.next().value).toMatchObject({ name: 'file', state: 'passed' });
  expect(steps.next().value).toMatchObject({ name: 'entries', state: 'passed' });
});

test('verifies a real draw decided by a round of quicknet', () => {
  const signature = 'b44679b9a59af2ec876b1a6b1ad52ea9b1615fc3982b19576350f93447cb1125e342b73a8dd2bacbe47e4b6b63ed5e39';
  const closedAt = new Date((quicknet.genesisTime + 999 * 3 - 300) * 1000);
  const { proof } = createTestDraw({ chain: quicknet, round: 1000, signature, closedAt });
  expect(verifyDraw({ proof: JSON.stringify(proof) })).toMatchObject({ isValid: true, isDrawn: true, chain: 'quicknet' });
  expect(details({ proof: JSON.stringify(proof) }, 'signature')).toBe('');
});

test.each([
  ['not JSON', '{'],
  ['a list', '[]'],
  ['null', 'null'],
  ['a number', '5'],
  ['an empty object', '{}'],
])('rejects a file that is %s with the fault', (_, proof) => {
  const verdict = verifyDraw({ proof });
  expect(verdict).toMatchObject({ isValid: false, isDrawn: false, winner: null });
  expect(verdict.steps).toHaveLength(1);
  expect(verdict.steps[0]?.details[0]).toMatch(/not JSON|not an object|has no algorithm/);
});

const entry = { id: idOf(1), tickets: 1 };
test.each<[string, Change, RegExp]>([
  ['another algorithm', { algorithm: 'draw-v2' }, /"draw-v2", not draw-v1/],
  ['something unknown', { more: 1 }, /"more", which is not part/],
  ['something missing', { root: undefined }, /has no root/],
  ['something unknown in a part', { log: { more: 1 } }, /log has "more"/],
  ['a part missing', { voided: { fraud: 1 } }, /voided has no administrator/],
  ['a root too short', { root: 'ab' }, /root is not 32 bytes in hexadecimal: "ab"/],
  ['digits in capitals', { root: made.proof.root.toUpperCase() }, /root is not 32 bytes in hexadecimal/],
  ['no month', { month: 13 }, /no month 2026-13/],
  ['month 0', { month: 0 }, /no month 2026-0/],
  ['a year of two digits', { year: 26 }, /no month 26-11/],
  ['a time without a zone', { closedAt: '2026-11-30T10:30:00' }, /closedAt is not a time/],
  ['a time that is none', { closedAt: '2026-13-30T10:30:00Z' }, /closedAt is not a time/],
  ['words before a time', { closedAt: 'On 2026-11-30T10:30:00Z' }, /closedAt is not a time/],
  ['words after a time', { closedAt: '2026-11-30T10:30:00Z or so' }, /closedAt is not a time/],
  ['a year of five digits', { year: 10_000 }, /no month 10000-11/],
  ['a year before the site', { year: 1999 }, /no month 1999-11/],
  ['an origin that is no text', { log: { origin: 5 } }, /log.origin is not text: 5/],
  ['a letter in a root', { root: `g${made.proof.root.slice(1)}` }, /root is not 32 bytes in hexadecimal/],
  ['a struck entry at no time', { struck: [{ entryId: idOf(1), ticketIndex: 1, reason: 'x', struckAt: 'x' }] }, /struckAt is not a time/],
  ['a text that is too long to show', { root: 'a'.repeat(65) }, /: "a{59}…$/],
  ['half a ticket', { totalTickets: 1.5 }, /totalTickets is not a whole number/],
  ['fewer than no tickets', { totalTickets: -1 }, /totalTickets is not a whole number/],
  ['a number as text', { totalTickets: '5' }, /totalTickets is not a whole number: "5"/],
  ['no list of entries', { entries: {} }, /entries is not a list/],
  ['an entry that is none', { entries: [entry, null] }, /entries\[1\] is not an object: null/],
  ['an entry without an id', { entries: [{ ...entry, id: 'x' }] }, /entries\[0\].id is not an entry id/],
  ['a winner without a ticket', { winner: { entryId: idOf(1) } }, /winner has no ticketIndex/],
  ['a reserve that is text', { reserves: ['x'] }, /reserves\[0\] is not an object/],
  ['a struck entry without a reason', { struck: [{ entryId: idOf(1), ticketIndex: 1 }] }, /struck\[0\] has no reason/],
  ['a signature too short', { beacon: { signature: 'ab' } }, /beacon.signature is not 48 bytes in hexadecimal/],
  ['a key too short', { beacon: { publicKey: 'ab' } }, /beacon.publicKey is not 96 bytes in hexadecimal/],
  ['a log’s key too short', { log: { publicKey: 'ab' } }, /log.publicKey is not 32 bytes in hexadecimal/],
  ['no signature beside the winner', { beacon: { signature: undefined } }, /part of the result, but no signature/],
  ['no randomness beside the winner', { beacon: { randomness: undefined } }, /but no randomness/],
  ['no winner beside the signature', { winner: undefined }, /but no winner/],
  ['no reserves beside the winner', { reserves: undefined }, /but no reserves/],
])('rejects a file with %s, naming the place', (_, change, words) => {
  const verdict = verifyDraw(changed(change));
  expect(verdict.isValid).toBe(false);
  expect(verdict.steps).toHaveLength(1);
  expect(verdict.steps[0]?.details[0]).toMatch(words);
});

test.each([2000, 9999])('reads a proof of the year %i', (year) => {
  expect(verifyDraw(changed({ year })).steps[0]).toMatchObject({ name: 'file', state: 'passed' });
});

test.each([1, 12])('reads a proof of month %i', (month) => {
  expect(verifyDraw(changed({ month })).steps[0]).toMatchObject({ name: 'file', state: 'passed' });
});

test('reads a time without milliseconds', () => {
  const closedAt = made.proof.closedAt.replace('.000', '');
  expect(failing(changed({ closedAt, beacon: { announcedAt: closedAt } }))).toEqual([]);
});

const { entries } = made.proof;
test('reports entries that are unsorted, duplicate, empty or do not add up', () => {
  expect(details(changed({ entries: entries.toReversed() }), 'entries')).toContain('sorted');
  expect(details(changed({ entries: [...entries, entries.at(-1)] }), 'entries')).toContain('twice');
  expect(details(changed({ entries: entries.with(0, { id: entries[0]?.id ?? '', tickets: 0 }) }), 'entries')).toContain('0 tickets');
  expect(failing(changed({ totalTickets: made.proof.totalTickets + 1 }))).toEqual(['entries']);
});

test('reports added and removed tickets and entries by the root', () => {
  for (const other of [
    entries.slice(1),
    [...entries, { id: 'f'.repeat(32), tickets: 1 }],
    entries.with(0, { id: entries[0]?.id ?? '', tickets: (entries[0]?.tickets ?? 0) + 1 }),
  ]) {
    const totalTickets = other.reduce((sum, { tickets }) => sum + tickets, 0);
    expect(failing(changed({ entries: other, totalTickets }))).toContain('root');
  }
});

test('reports a chosen round: it must be the first 300 or 30 seconds after closing and announced before it is out', () => {
  const { round } = made.proof.beacon;
  for (const other of [round - 1, round + 1]) {
    const resigned = { round: other, signature: signSandboxRound(other) };
    expect(failing(changed({ beacon: resigned }))).toContain('round');
  }
  const byHand = new Date(made.expectedAt.getTime() - 30_000).toISOString();
  expect(failing(changed({ closedAt: byHand, beacon: { announcedAt: byHand } }))).toEqual([]);
  const between = new Date(made.expectedAt.getTime() - 100_000).toISOString();
  expect(failing(changed({ closedAt: between, beacon: { announcedAt: between } }))).toEqual(['round']);
  const before = new Date(made.expectedAt.getTime() - 1).toISOString();
  expect(failing(changed({ beacon: { announcedAt: before } }))).toEqual([]);
  expect(details(changed({ beacon: { announcedAt: made.expectedAt.toISOString() } }), 'round')).toContain('already been published');
  const early = new Date(Date.parse(made.proof.closedAt) - 1).toISOString();
  expect(details(changed({ beacon: { announcedAt: early } }), 'round')).toContain('before the entries were closed');
});

test('accepts only the keys of quicknet and the sandbox', () => {
  const { publicKey, chainHash } = quicknet;
  for (const beacon of [{ publicKey }, { chainHash }, { publicKey: 'ab'.repeat(96), chainHash: 'ab'.repeat(32) }]) {
    const verdict = verifyDraw(changed({ beacon }));
    expect(verdict.steps.filter(({ state }) => state === 'failed').map(({ name }) => name)).toEqual(['round', 'signature']);
    expect(verdict.chain).toBeNull();
  }
  // A sandbox signature in the name of quicknet.
  expect(failing(changed({ beacon: quicknetFacts }))).toContain('signature');
  for (const beacon of [{ genesisTime: 1 }, { period: 4 }, { scheme: 'other' }]) expect(failing(changed({ beacon }))).toEqual(['round']);
});
const { name: _name, ...quicknetFacts } = quicknet;

test('reports another signature and randomness that does not match it', () => {
  const { round, randomness } = made.proof.beacon;
  expect(failing(changed({ beacon: { signature: signSandboxRound(round + 1) } }))).toEqual(['signature']);
  expect(failing(changed({ beacon: { randomness: randomness.replace(/^./, (digit) => (digit === '0' ? '1' : '0')) } }))).toContain(
    'signature',
  );
});

test('reports a wrong winner and wrong, extra or missing reserves', () => {
  const { winner, reserves } = made.proof;
  const ticket = (pick: typeof winner) => pick && { ...pick, ticketIndex: pick.ticketIndex + 1 };
  for (const change of [
    { winner: reserves[0], reserves: reserves.slice(1) },
    { winner: reserves[0], reserves: [winner, ...reserves.slice(1)] },
    { winner: ticket(winner) },
    { winner: null },
    { winner: null, reserves: [] },
    { reserves: reserves.slice(0, -1) },
    { reserves: [...reserves, reserves[0]] },
    { reserves: reserves.toReversed() },
  ]) {
    expect(failing(changed(change))).toEqual(['winner']);
  }
});

test('names each pick that is not as drawn', () => {
  const { winner, reserves } = made.proof;
  const [second, third] = reserves;
  const words = (pick: typeof winner | undefined) => `entry ${pick?.entryId} by ticket ${pick?.ticketIndex}`;
  expect(details(changed({ winner: second, reserves: [winner, ...reserves.slice(1)] }), 'winner').split('\n')).toEqual([
    `the first pick is ${words(winner)}, the file says ${words(second)}`,
    `pick 2 is ${words(second)}, the file says ${words(winner)}`,
  ]);
  const last = reserves.at(-1);
  expect(details(changed({ reserves: reserves.slice(0, -1) }), 'winner')).toBe(
    `pick ${reserves.length + 1} is ${words(last)}, the file says nobody`,
  );
  expect(details(changed({ reserves: [...reserves, third] }), 'winner')).toBe(
    `pick ${reserves.length + 2} is nobody, the file says ${words(third)}`,
  );
  expect(details(changed({ winner: null }), 'winner')).toBe('there are reserves, but nobody took the winner’s place');
  // Entries that cannot be drawn from have their own step.
  expect(details(changed({ entries: entries.toReversed() }), 'winner')).toContain('sorted');
});

test('only a struck person with other entries limits what the proof shows', () => {
  const { winner, reserves } = made.proof;
  const struck = [{ ...winner, reason: 'Nobody claimed the prize.' }];
  const { limits } = verifyDraw(changed({ struck, winner: reserves[0], reserves: reserves.slice(1) }));
  expect(limits.join(' ')).not.toContain('passed over');
});

test('verifies struck picks with reasons and the reserve in their place', () => {
  const { winner, reserves } = made.proof;
  const struck = [{ ...winner, reason: 'Nobody claimed the prize.', struckAt: '2026-12-31T00:00:00.000Z' }];
  const next = { struck, winner: reserves[0], reserves: reserves.slice(1) };
  expect(verifyDraw(changed(next))).toMatchObject({ isValid: true, winner: reserves[0] });
  expect(details(changed(next), 'winner')).toContain('Nobody claimed the prize.');
  expect(failing(changed({ ...next, winner: reserves[1], reserves: [reserves[0], ...reserves.slice(2)] }))).toEqual(['winner']);
  expect(failing(changed({ struck }))).toEqual(['winner']);
  const allStruck = [winner, ...reserves].map((pick) => ({ ...pick, reason: 'Nobody claimed the prize.' }));
  expect(verifyDraw(changed({ struck: allStruck, winner: null, reserves: [] }))).toMatchObject({ isValid: true, winner: null });
});

test('passes over other entries of a struck person and reports those drawn before the struck one', () => {
  const { winner, reserves } = made.proof;
  const [second, third, fourth, ...others] = reserves;
  const struck = { ...winner, reason: 'Nobody claimed the prize.', samePerson: [second?.entryId, fourth?.entryId] };
  const next = { struck: [struck], winner: third, reserves: others };
  const verdict = verifyDraw(changed(next));
  expect(verdict).toMatchObject({ isValid: true, winner: third });
  expect(verdict.limits.join(' ')).toContain('passed over');
  expect(details(changed(next), 'winner')).toContain(`entry ${second?.entryId} was passed over`);

  expect(failing(changed({ ...next, struck: [{ ...struck, samePerson: [second?.entryId] }] }))).toEqual(['winner']);
  expect(failing(changed({ ...next, struck: [{ ...struck, samePerson: undefined }] }))).toEqual(['winner']);
  expect(failing(changed({ ...next, winner: second, reserves: [third, ...others] }))).toEqual(['winner']);
  const notDrawn = entries.find(({ id }) => ![winner, ...reserves].some((pick) => pick?.entryId === id))?.id ?? idOf(99);
  for (const samePerson of [[notDrawn], [winner?.entryId]]) {
    const words = `entry ${samePerson[0]} cannot be passed over`;
    expect(details(changed({ struck: [{ ...struck, samePerson }], winner: second, reserves: reserves.slice(1) }), 'winner')).toContain(
      words,
    );
  }
  // A reserve that won and was then struck cannot pass over earlier picks.
  const both = [
    { ...winner, reason: 'First.' },
    { ...second, reason: 'Second.', samePerson: [winner?.entryId] },
  ];
  expect(details(changed({ struck: both, winner: third, reserves: [fourth, ...others] }), 'winner')).toContain('cannot be passed over');
  expect(details(changed({ struck: [{ ...struck, samePerson: ['x'] }] }), 'file')).toContain('struck[0].samePerson[0] is not an entry id');
});

test('verifies a commitment as not drawn yet', () => {
  const verdict = verifyDraw({ proof: JSON.stringify(made.commitment), log: made.log, mail });
  expect(verdict).toMatchObject({ isValid: true, isDrawn: false, winner: null });
  expect(failing({ proof: JSON.stringify({ ...made.commitment, struck: [{ ...made.proof.winner, reason: 'x' }] }) })).toEqual(['winner']);
});

test('a proof without entries has no beacon or winner; one with entries needs both', () => {
  const { leaves, ...empty } = createTestDraw({
    leaves: [],
    entries: [],
    round: made.proof.beacon.round,
    signature: made.proof.beacon.signature,
  });
  const proof = JSON.stringify({ ...empty.proof, beacon: null });
  expect(leaves).toEqual([]);
  expect(verifyDraw({ proof, log: '' })).toMatchObject({ isValid: true, isDrawn: true, winner: null, chain: null });
  expect(failing(changed({ beacon: null }))).toEqual(['round', 'winner']);
  expect(failing({ proof: JSON.stringify({ ...empty.proof, beacon: null, winner: made.proof.winner }) })).toEqual(['winner']);
});

test('the last head must be signed, of this month, and as long as its entries require', () => {
  const { leaves } = made;
  expect(failing(changed({ log: { checkpoint: 'no' } }))).toEqual(['head']);
  expect(failing(changed({ log: { checkpoint: signTestHead(leaves, otherKey) } }))).toEqual(['head']);
  expect(failing(changed({ log: { checkpoint: signTestHead(leaves.slice(1)) } }))).toEqual(['head']);
  expect(details(changed({ log: { size: leaves.length + 1 } }), 'head').split('\n')).toEqual([
    `the head has the size ${leaves.length}, the file says ${leaves.length + 1}`,
    `entries and void entries make a log of ${leaves.length} leaves, the head says ${leaves.length + 1}`,
  ]);
  const other = toBase64(replayLog(leaves.slice(1)).root);
  expect(details(changed({ log: { root: other } }), 'head')).toBe(`the head has the root ${made.proof.log.root}, the file says ${other}`);
  expect(failing(changed({ log: { origin: 'elsewhere.example/draws/2026-11' } }))).toEqual(['head']);
  expect(failing(changed({ month: 10 }))).toEqual(['head']);
  expect(failing(changed({ voided: { ...made.proof.voided, fraud: 1 } }))).toEqual(['head']);
  const { root, size } = replayLog(leaves);
  const october = 'handwise.example/draws/2026-10';
  expect(failing(changed({ log: { origin: october, checkpoint: signHead({ origin: october, size, root }, siteKey) } }))).toEqual(['head']);
});

test('reports entries and void counts that differ from the log', () => {
  const { proof, leaves } = made;
  const moved = { ...proof.voided, unconfirmed: 0, fraud: 1 };
  expect(failing({ ...changed({ voided: moved }), log: made.log })).toEqual(['log']);
  // A whole new proof with entries that were never issued.
  const [first, ...others] = entries;
  for (const other of [
    [{ id: idOf(77), tickets: first?.tickets ?? 1 }, ...others].toSorted((a, b) => (a.id < b.id ? -1 : 1)),
    [{ id: first?.id ?? '', tickets: 50 }, ...others],
  ]) {
    const faked = createTestDraw({ leaves, entries: other });
    expect(failing({ proof: JSON.stringify(faked.proof) })).toEqual([]);
    expect(failing({ proof: JSON.stringify(faked.proof), log: made.log })).toEqual(['log']);
  }
  const stranger = `${'0'.repeat(31)}1`;
  const renamed = createTestDraw({ leaves, entries: [{ id: stranger, tickets: first?.tickets ?? 1 }, ...others] });
  expect(details({ proof: JSON.stringify(renamed.proof), log: made.log }, 'log').split('\n')).toEqual([
    `entry ${stranger} of the draw is not in the log, or is void there`,
    `entry ${first?.id} of the log is not in the draw`,
  ]);
  const richer = createTestDraw({ leaves, entries: [{ id: first?.id ?? '', tickets: 50 }, ...others] });
  expect(details({ proof: JSON.stringify(richer.proof), log: made.log }, 'log')).toBe(
    `entry ${first?.id} has ${first?.tickets} tickets in the log and 50 in the draw`,
  );
  expect(details({ proof: proofText, log: leaves.slice(0, -1).join('\n') }, 'log').split('\n')[0]).toBe(
    `the log has ${leaves.length - 1} leaves, its last head says ${leaves.length}`,
  );
  const without = createTestDraw({ leaves, entries: others });
  expect(details({ proof: JSON.stringify(without.proof), log: made.log }, 'log')).toBe(`entry ${first?.id} of the log is not in the draw`);
  const many = createTestDraw({ leaves: createTestLeaves(40), entries });
  const lines = details({ proof: JSON.stringify(many.proof), log: many.log }, 'log').split('\n');
  const differences = replayLog(many.leaves).entries.length - entries.length;
  expect(lines.at(-1)).toBe(`and ${differences - 10} more like these`);
  expect(lines.filter((line) => line.endsWith('of the log is not in the draw'))).toHaveLength(10);
});

test('reports an invalid log even if its heads and entries match', () => {
  const wrong = createTestDraw({ leaves: [...made.leaves, 'nothing', `- ${idOf(99)} fraud 2026-11-02T00:00:00Z`] });
  expect(details({ proof: JSON.stringify(wrong.proof), log: wrong.log }, 'log').split('\n')).toEqual([
    'line 14: is not a leaf of a ticket log',
    `line 15: entry ${idOf(99)} is voided before it was issued`,
  ]);
  const many = createTestDraw({ leaves: [...made.leaves, ...Array<string>(12).fill('nothing')] });
  expect(details({ proof: JSON.stringify(many.proof), log: many.log }, 'log')).toContain('and 2 more lines like these');
});

test.each<[string, (leaves: string[]) => string[]]>([
  ['removed', (leaves) => leaves.toSpliced(2, 1)],
  ['added', (leaves) => leaves.toSpliced(2, 0, `+ ${idOf(99)} 5 2026-11-02T00:00:00Z`)],
  ['changed', (leaves) => leaves.with(2, (leaves[2] ?? '').replace(/ \d{1,2} /, ' 50 '))],
  ['moved', (leaves) => leaves.with(1, leaves[2] ?? '').with(2, leaves[1] ?? '')],
])('an email exposes a leaf %s after it was sent, although log and proof agree', (_, tamper) => {
  const forged = createTestDraw({ leaves: tamper(made.leaves) });
  const evidence = { proof: JSON.stringify(forged.proof), log: forged.log };
  expect(failing(evidence)).toEqual([]);
  expect(failing({ ...evidence, mail })).toEqual(['mail']);
});

test('the newest email exposes it without the log; an older one needs the log', () => {
  const newest = signTestHead(made.leaves);
  expect(failing({ proof: proofText, mail: newest })).toEqual([]);
  const forged = createTestDraw({ leaves: made.leaves.with(0, (made.leaves[0] ?? '').replace(/ \d{1,2} /, ' 50 ')) });
  expect(failing({ proof: JSON.stringify(forged.proof), mail: newest })).toEqual(['mail']);
  expect(details({ proof: proofText, mail }, 'mail')).toContain('only with the whole ticket log');
  expect(verifyDraw({ proof: proofText, mail }).isValid).toBe(false);
});

test('rejects emails of another month, another key or a longer log, or without a head', () => {
  const { log, leaves } = made;
  const evidence = { proof: proofText, log };
  expect(details({ ...evidence, mail: 'Hello' }, 'mail')).toContain('no head');
  expect(details({ ...evidence, mail: signTestHead(leaves, siteKey, 'handwise.example/draws/2026-10') }, 'mail')).toContain(
    'not of handwise.example',
  );
  expect(details({ ...evidence, mail: signTestHead(leaves.slice(0, 5), otherKey) }, 'mail')).toContain('not signed');
  expect(details({ ...evidence, mail: signTestHead(createTestLeaves(20)) }, 'mail')).toContain('leaves were removed');
  expect(details({ proof: proofText, log: leaves.slice(0, 3).join('\n'), mail }, 'mail')).toContain('is shorter');
  expect(failing({ ...evidence, mail: `${mail}\n${signTestHead(leaves.slice(0, 3), otherKey)}` })).toEqual(['mail']);
  expect(failing({ ...evidence, mail: `${mail}\n${signTestHead(leaves, siteKey, 'handwise.example/draws/2026-10')}` })).toEqual([]);
});

test('reports that a log or email cannot be checked with a file that names no log', () => {
  const proof = JSON.stringify({ ...made.proof, log: undefined });
  expect(verifyDraw({ proof }).isValid).toBe(true);
  expect(verifyDraw({ proof }).limits.join(' ')).toContain('names no ticket log');
  expect(failing({ proof, log: made.log, mail })).toEqual(['log', 'mail']);
  for (const name of ['log', 'mail'] as const) expect(details({ proof, log: made.log, mail }, name)).toBe('the file names no ticket log');
});

test('reports any later change with a copy of the commitment', () => {
  const other = createTestDraw({ leaves: createTestLeaves(13) });
  const commitment = JSON.stringify(other.commitment);
  expect(failing({ ...whole, commitment })).toEqual(['commitment']);
  const earlier = new Date(Date.parse(made.proof.closedAt) - 1000).toISOString();
  expect(failing({ ...changed({ closedAt: earlier }), commitment: whole.commitment })).toEqual(['commitment']);
  const announcedAt = new Date(Date.parse(made.proof.closedAt) + 1000).toISOString();
  expect(details({ ...changed({ beacon: { announcedAt } }), commitment: whole.commitment }, 'commitment')).toContain('beacon');
  expect(details({ ...whole, commitment: '{}' }, 'commitment')).toBe(
    'the earlier file is not a proof of draw-v1: the file has no algorithm',
  );
});

/** Stops at the first failed step. */
function fails(evidence: Evidence): boolean {
  for (const { state } of checkDraw(evidence)) if (state === 'failed') return true;
  return false;
}

test('a check fails for any altered byte of proof, log, email head and commitment', () => {
  const small = createTestDraw({ leaves: createTestLeaves(3) });
  const evidence = {
    proof: JSON.stringify(small.proof),
    log: small.log,
    mail: signTestHead(small.leaves.slice(0, 2)),
    commitment: JSON.stringify(small.commitment),
  };
  expect(failing(evidence)).toEqual([]);
  // Pairings are slow, so only one byte in several is tried.
  const strides = { proof: 11, log: 9, mail: 5, commitment: 41 };
  for (const name of ['proof', 'log', 'mail', 'commitment'] as const) {
    const bytes = Buffer.from(evidence[name]);
    for (let at = 0; at < bytes.length; at += strides[name]) {
      const byte = bytes[at] ?? 0;
      // Around a head in an email, white space and the dash may vary.
      if (name === 'mail' && (byte <= 32 || byte > 126)) continue;
      const altered = Buffer.from(bytes);
      altered[at] = byte ^ 1;
      const isFound = fails({ ...evidence, [name]: altered.toString() });
      expect(isFound, `${name}, byte ${at}: ${bytes.subarray(Math.max(0, at - 10), at + 10).toString()}`).toBe(true);
    }
  }
});

import { expect, test } from 'vitest';
import { quicknet } from './beacon.ts';
import { signHead } from './checkpoint.ts';
import { replayLog } from './log.ts';
import { signSandboxRound } from './sandbox-key.ts';
import { headOf, idOf, madeDraw, madeLeaves, otherKey, siteKey } from './testing/made-draw.ts';
import { checkDraw, type Evidence, notReal, type Step, verifyDraw } from './verify.ts';

const made = madeDraw();
const proofText = JSON.stringify(made.proof);
const mail = headOf(made.leaves.slice(0, 5));
const whole: Evidence = { proof: proofText, log: made.log, mail, commitment: JSON.stringify(made.commitment) };

const failing = (evidence: Evidence) =>
  verifyDraw(evidence)
    .steps.filter(({ state }) => state === 'fails')
    .map(({ name }) => name);
const says = (evidence: Evidence, name: Step['name']) =>
  verifyDraw(evidence)
    .steps.find((step) => step.name === name)
    ?.says.join('\n') ?? '';
/** The proof with some of it changed; the beacon's and the log's parts by themselves. */
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

test('an honest draw holds in every step, and says whom it was decided by and what it cannot show', () => {
  const verdict = verifyDraw(whole);
  expect(verdict.steps.map(({ name, state }) => [name, state])).toEqual(
    ['file', 'entries', 'root', 'round', 'signature', 'winner', 'head', 'log', 'mail', 'commitment'].map((name) => [name, 'holds']),
  );
  expect(verdict).toMatchObject({ holds: true, isOver: true, chain: 'sandbox', winner: made.proof.winner });
  expect(says(whole, 'signature')).toBe(notReal);
  expect(says(whole, 'mail')).toContain('5 of 13 leaves');
  expect(verdict.cannotShow).toEqual([
    'That the people behind the entries are different, real people.',
    'That an email was sent to everyone who was issued a ticket.',
  ]);
});

test('with the proof alone everything holds that it can show, and the rest is said to be unchecked', () => {
  const verdict = verifyDraw({ proof: proofText });
  const unchecked = verdict.steps.filter(({ state }) => state === 'not-checked').map(({ name }) => name);
  expect(unchecked).toEqual(['log', 'mail', 'commitment']);
  expect(verdict.holds).toBe(true);
  expect(verdict.cannotShow).toHaveLength(5);
});

test('steps come one at a time, for whoever shows them as they are done', () => {
  const steps = checkDraw(whole);
  expect(steps.next().value).toMatchObject({ name: 'file', state: 'holds' });
  expect(steps.next().value).toMatchObject({ name: 'entries', state: 'holds' });
});

test('a real round of quicknet decides a real draw', () => {
  const signature = 'b44679b9a59af2ec876b1a6b1ad52ea9b1615fc3982b19576350f93447cb1125e342b73a8dd2bacbe47e4b6b63ed5e39';
  const closedAt = new Date((quicknet.genesisTime + 999 * 3 - 300) * 1000);
  const { proof } = madeDraw({ chain: quicknet, round: 1000, signature, closedAt });
  expect(verifyDraw({ proof: JSON.stringify(proof) })).toMatchObject({ holds: true, isOver: true, chain: 'quicknet' });
  expect(says({ proof: JSON.stringify(proof) }, 'signature')).toBe('');
});

test.each([
  ['not JSON', '{'],
  ['a list', '[]'],
  ['null', 'null'],
  ['a number', '5'],
  ['an empty object', '{}'],
])('a file that is %s is refused with what is wrong', (_, proof) => {
  const verdict = verifyDraw({ proof });
  expect(verdict).toMatchObject({ holds: false, isOver: false, winner: null });
  expect(verdict.steps).toHaveLength(1);
  expect(verdict.steps[0]?.says[0]).toMatch(/no JSON|no object|has no algorithm/);
});

const entry = { id: idOf(1), tickets: 1 };
test.each<[string, Change, RegExp]>([
  ['another algorithm', { algorithm: 'draw-v2' }, /"draw-v2", not draw-v1/],
  ['something unknown', { more: 1 }, /"more", which is no part/],
  ['something missing', { root: undefined }, /has no root/],
  ['something unknown in a part', { log: { more: 1 } }, /log has "more"/],
  ['a part missing', { voided: { fraud: 1 } }, /voided has no administrator/],
  ['a root too short', { root: 'ab' }, /root is no hexadecimal of 32 bytes: "ab"/],
  ['digits in capitals', { root: made.proof.root.toUpperCase() }, /root is no hexadecimal/],
  ['no month', { month: 13 }, /no month 2026-13/],
  ['month 0', { month: 0 }, /no month 2026-0/],
  ['a year of two digits', { year: 26 }, /no month 26-11/],
  ['a time without a zone', { closedAt: '2026-11-30T10:30:00' }, /closedAt is no time/],
  ['a time that is none', { closedAt: '2026-13-30T10:30:00Z' }, /closedAt is no time/],
  ['half a ticket', { totalTickets: 1.5 }, /totalTickets is no whole number/],
  ['fewer than no tickets', { totalTickets: -1 }, /totalTickets is no whole number/],
  ['a number as text', { totalTickets: '5' }, /totalTickets is no whole number: "5"/],
  ['no list of entries', { entries: {} }, /entries is no list/],
  ['an entry that is none', { entries: [entry, null] }, /entries\[1\] is no object: null/],
  ['an entry without an id', { entries: [{ ...entry, id: 'x' }] }, /entries\[0\].id is no entry id/],
  ['a winner without a ticket', { winner: { entryId: idOf(1) } }, /winner has no ticketIndex/],
  ['a reserve that is text', { reserves: ['x'] }, /reserves\[0\] is no object/],
  ['a struck entry without a reason', { struck: [{ entryId: idOf(1), ticketIndex: 1 }] }, /struck\[0\] has no reason/],
  ['a signature too short', { beacon: { signature: 'ab' } }, /beacon.signature is no hexadecimal of 48 bytes/],
  ['a key too short', { beacon: { publicKey: 'ab' } }, /beacon.publicKey is no hexadecimal of 96 bytes/],
  ['a log’s key too short', { log: { publicKey: 'ab' } }, /log.publicKey is no hexadecimal/],
  ['no signature beside the winner', { beacon: { signature: undefined } }, /part of the result, but no signature/],
  ['no randomness beside the winner', { beacon: { randomness: undefined } }, /but no randomness/],
  ['no winner beside the signature', { winner: undefined }, /but no winner/],
  ['no reserves beside the winner', { reserves: undefined }, /but no reserves/],
])('a file with %s is refused, named by its place', (_, change, words) => {
  const verdict = verifyDraw(changed(change));
  expect(verdict.holds).toBe(false);
  expect(verdict.steps).toHaveLength(1);
  expect(verdict.steps[0]?.says[0]).toMatch(words);
});

const { entries } = made.proof;
test('entries that are unsorted, doubled, without tickets or do not add up are found', () => {
  expect(says(changed({ entries: entries.toReversed() }), 'entries')).toContain('sorted');
  expect(says(changed({ entries: [...entries, entries.at(-1)] }), 'entries')).toContain('twice');
  expect(says(changed({ entries: entries.with(0, { id: entries[0]?.id ?? '', tickets: 0 }) }), 'entries')).toContain('0 tickets');
  expect(failing(changed({ totalTickets: made.proof.totalTickets + 1 }))).toEqual(['entries']);
});

test('a ticket more or less, an entry more or less changes the root', () => {
  for (const other of [
    entries.slice(1),
    [...entries, { id: 'f'.repeat(32), tickets: 1 }],
    entries.with(0, { id: entries[0]?.id ?? '', tickets: (entries[0]?.tickets ?? 0) + 1 }),
  ]) {
    const totalTickets = other.reduce((sum, { tickets }) => sum + tickets, 0);
    expect(failing(changed({ entries: other, totalTickets }))).toContain('root');
  }
});

test('a round of one’s own choice is found: it is the first 300 or 30 seconds after closing, and announced before it is out', () => {
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
  expect(says(changed({ beacon: { announcedAt: made.expectedAt.toISOString() } }), 'round')).toContain('out already');
  const early = new Date(Date.parse(made.proof.closedAt) - 1).toISOString();
  expect(says(changed({ beacon: { announcedAt: early } }), 'round')).toContain('before the entries were closed');
});

test('no key is accepted but quicknet’s and the sandbox’s, whatever the file says of itself', () => {
  const { publicKey, chainHash } = quicknet;
  for (const beacon of [{ publicKey }, { chainHash }, { publicKey: 'ab'.repeat(96), chainHash: 'ab'.repeat(32) }]) {
    const verdict = verifyDraw(changed({ beacon }));
    expect(verdict.steps.filter(({ state }) => state === 'fails').map(({ name }) => name)).toEqual(['round', 'signature']);
    expect(verdict.chain).toBeNull();
  }
  // The sandbox's signature under quicknet's name.
  expect(failing(changed({ beacon: quicknetFacts }))).toContain('signature');
  for (const beacon of [{ genesisTime: 1 }, { period: 4 }, { scheme: 'other' }]) expect(failing(changed({ beacon }))).toEqual(['round']);
});
const { name: _name, ...quicknetFacts } = quicknet;

test('another signature and randomness that does not come from it are found', () => {
  const { round, randomness } = made.proof.beacon;
  expect(failing(changed({ beacon: { signature: signSandboxRound(round + 1) } }))).toEqual(['signature']);
  expect(failing(changed({ beacon: { randomness: randomness.replace(/^./, (digit) => (digit === '0' ? '1' : '0')) } }))).toContain(
    'signature',
  );
});

test('another winner, other reserves, too many or too few of them are found', () => {
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

test('who was struck stands in the record with the reason, and the next reserve in the place', () => {
  const { winner, reserves } = made.proof;
  const struck = [{ ...winner, reason: 'Nobody claimed the prize.', struckAt: '2026-12-31T00:00:00.000Z' }];
  const next = { struck, winner: reserves[0], reserves: reserves.slice(1) };
  expect(verifyDraw(changed(next))).toMatchObject({ holds: true, winner: reserves[0] });
  expect(says(changed(next), 'winner')).toContain('Nobody claimed the prize.');
  expect(failing(changed({ ...next, winner: reserves[1], reserves: [reserves[0], ...reserves.slice(2)] }))).toEqual(['winner']);
  expect(failing(changed({ struck }))).toEqual(['winner']);
  const everybody = [winner, ...reserves].map((pick) => ({ ...pick, reason: 'Nobody claimed the prize.' }));
  expect(verifyDraw(changed({ struck: everybody, winner: null, reserves: [] }))).toMatchObject({ holds: true, winner: null });
});

test('passes over the other entries of a struck person, and finds any that was not drawn after the struck one', () => {
  const { winner, reserves } = made.proof;
  const [second, third, fourth, ...others] = reserves;
  const struck = { ...winner, reason: 'Nobody claimed the prize.', samePerson: [second?.entryId, fourth?.entryId] };
  const next = { struck: [struck], winner: third, reserves: others };
  const verdict = verifyDraw(changed(next));
  expect(verdict).toMatchObject({ holds: true, winner: third });
  expect(verdict.cannotShow.join(' ')).toContain('passed over');
  expect(says(changed(next), 'winner')).toContain(`entry ${second?.entryId} was passed over`);

  expect(failing(changed({ ...next, struck: [{ ...struck, samePerson: [second?.entryId] }] }))).toEqual(['winner']);
  expect(failing(changed({ ...next, struck: [{ ...struck, samePerson: undefined }] }))).toEqual(['winner']);
  expect(failing(changed({ ...next, winner: second, reserves: [third, ...others] }))).toEqual(['winner']);
  const notDrawn = entries.find(({ id }) => ![winner, ...reserves].some((pick) => pick?.entryId === id))?.id ?? idOf(99);
  for (const samePerson of [[notDrawn], [winner?.entryId]]) {
    const words = `entry ${samePerson[0]} cannot be passed over`;
    expect(says(changed({ struck: [{ ...struck, samePerson }], winner: second, reserves: reserves.slice(1) }), 'winner')).toContain(words);
  }
  // A reserve that has become the winner and was struck then cannot pass over what was drawn before it.
  const both = [
    { ...winner, reason: 'First.' },
    { ...second, reason: 'Second.', samePerson: [winner?.entryId] },
  ];
  expect(says(changed({ struck: both, winner: third, reserves: [fourth, ...others] }), 'winner')).toContain('cannot be passed over');
  expect(says(changed({ struck: [{ ...struck, samePerson: ['x'] }] }), 'file')).toContain('struck[0].samePerson[0] is no entry id');
});

test('the commitment of before the round holds as such: nothing is drawn yet', () => {
  const verdict = verifyDraw({ proof: JSON.stringify(made.commitment), log: made.log, mail });
  expect(verdict).toMatchObject({ holds: true, isOver: false, winner: null });
  expect(failing({ proof: JSON.stringify({ ...made.commitment, struck: [{ ...made.proof.winner, reason: 'x' }] }) })).toEqual(['winner']);
});

test('a month without anybody has a proof without a beacon and a winner; who has entries needs both', () => {
  const { leaves, ...empty } = madeDraw({
    leaves: [],
    entries: [],
    round: made.proof.beacon.round,
    signature: made.proof.beacon.signature,
  });
  const proof = JSON.stringify({ ...empty.proof, beacon: null });
  expect(leaves).toEqual([]);
  expect(verifyDraw({ proof, log: '' })).toMatchObject({ holds: true, isOver: true, winner: null, chain: null });
  expect(failing(changed({ beacon: null }))).toEqual(['round', 'winner']);
  expect(failing({ proof: JSON.stringify({ ...empty.proof, beacon: null, winner: made.proof.winner }) })).toEqual(['winner']);
});

test('the last head is this month’s, signed, as the file says, and as long as entries and void entries make it', () => {
  const { leaves } = made;
  expect(failing(changed({ log: { checkpoint: 'no' } }))).toEqual(['head']);
  expect(failing(changed({ log: { checkpoint: headOf(leaves, otherKey) } }))).toEqual(['head']);
  expect(failing(changed({ log: { checkpoint: headOf(leaves.slice(1)) } }))).toEqual(['head']);
  expect(failing(changed({ log: { size: leaves.length + 1 } }))).toEqual(['head']);
  expect(failing(changed({ log: { origin: 'elsewhere.example/draws/2026-11' } }))).toEqual(['head']);
  expect(failing(changed({ month: 10 }))).toEqual(['head']);
  expect(failing(changed({ voided: { ...made.proof.voided, fraud: 1 } }))).toEqual(['head']);
  const { root, size } = replayLog(leaves);
  const october = 'handwise.example/draws/2026-10';
  expect(failing(changed({ log: { origin: october, checkpoint: signHead({ origin: october, size, root }, siteKey) } }))).toEqual(['head']);
});

test('entries that are not those of the log are found, and void counts that are not its reasons', () => {
  const { proof, leaves } = made;
  const moved = { ...proof.voided, unconfirmed: 0, fraud: 1 };
  expect(failing({ ...changed({ voided: moved }), log: made.log })).toEqual(['log']);
  // The whole proof made anew for entries that nobody was issued.
  const [first, ...others] = entries;
  for (const other of [
    [{ id: idOf(77), tickets: first?.tickets ?? 1 }, ...others].toSorted((a, b) => (a.id < b.id ? -1 : 1)),
    [{ id: first?.id ?? '', tickets: 50 }, ...others],
  ]) {
    const faked = madeDraw({ leaves, entries: other });
    expect(failing({ proof: JSON.stringify(faked.proof) })).toEqual([]);
    expect(failing({ proof: JSON.stringify(faked.proof), log: made.log })).toEqual(['log']);
  }
  const without = madeDraw({ leaves, entries: others });
  expect(says({ proof: JSON.stringify(without.proof), log: made.log }, 'log')).toBe(`entry ${first?.id} of the log is not in the draw`);
  const many = madeDraw({ leaves: madeLeaves(40), entries });
  expect(says({ proof: JSON.stringify(many.proof), log: many.log }, 'log')).toContain('more like these');
});

test('a log that no honest site writes is found, though its heads and entries fit it', () => {
  const wrong = madeDraw({ leaves: [...made.leaves, 'nothing', `- ${idOf(99)} fraud 2026-11-02T00:00:00Z`] });
  expect(says({ proof: JSON.stringify(wrong.proof), log: wrong.log }, 'log').split('\n')).toEqual([
    'line 14: is no leaf of a ticket log',
    `line 15: entry ${idOf(99)} is voided before it was issued`,
  ]);
  const many = madeDraw({ leaves: [...made.leaves, ...Array<string>(12).fill('nothing')] });
  expect(says({ proof: JSON.stringify(many.proof), log: many.log }, 'log')).toContain('and 2 more lines like these');
});

test.each<[string, (leaves: string[]) => string[]]>([
  ['removed', (leaves) => leaves.toSpliced(2, 1)],
  ['added', (leaves) => leaves.toSpliced(2, 0, `+ ${idOf(99)} 5 2026-11-02T00:00:00Z`)],
  ['changed', (leaves) => leaves.with(2, (leaves[2] ?? '').replace(/ \d{1,2} /, ' 50 '))],
  ['moved', (leaves) => leaves.with(1, leaves[2] ?? '').with(2, leaves[1] ?? '')],
])('a leaf %s after a mail went out is found by that mail, though log and proof agree with each other', (_, tamper) => {
  const forged = madeDraw({ leaves: tamper(made.leaves) });
  const evidence = { proof: JSON.stringify(forged.proof), log: forged.log };
  expect(failing(evidence)).toEqual([]);
  expect(failing({ ...evidence, mail })).toEqual(['mail']);
});

test('the newest mail shows it too, without the log; an older one needs the log', () => {
  const newest = headOf(made.leaves);
  expect(failing({ proof: proofText, mail: newest })).toEqual([]);
  const forged = madeDraw({ leaves: made.leaves.with(0, (made.leaves[0] ?? '').replace(/ \d{1,2} /, ' 50 ')) });
  expect(failing({ proof: JSON.stringify(forged.proof), mail: newest })).toEqual(['mail']);
  expect(says({ proof: proofText, mail }, 'mail')).toContain('only with the whole ticket log');
  expect(verifyDraw({ proof: proofText, mail }).holds).toBe(false);
});

test('a mail of another month, by another key, from a longer log or without a head is no witness', () => {
  const { log, leaves } = made;
  const evidence = { proof: proofText, log };
  expect(says({ ...evidence, mail: 'Hello' }, 'mail')).toContain('no head');
  expect(says({ ...evidence, mail: headOf(leaves, siteKey, 'handwise.example/draws/2026-10') }, 'mail')).toContain(
    'not of handwise.example',
  );
  expect(says({ ...evidence, mail: headOf(leaves.slice(0, 5), otherKey) }, 'mail')).toContain('not signed');
  expect(says({ ...evidence, mail: headOf(madeLeaves(20)) }, 'mail')).toContain('leaves were removed');
  expect(says({ proof: proofText, log: leaves.slice(0, 3).join('\n'), mail }, 'mail')).toContain('is shorter');
  expect(failing({ ...evidence, mail: `${mail}\n${headOf(leaves.slice(0, 3), otherKey)}` })).toEqual(['mail']);
  expect(failing({ ...evidence, mail: `${mail}\n${headOf(leaves, siteKey, 'handwise.example/draws/2026-10')}` })).toEqual([]);
});

test('a log or a mail cannot be held against a file that names no log, which says so', () => {
  const proof = JSON.stringify({ ...made.proof, log: undefined });
  expect(verifyDraw({ proof }).holds).toBe(true);
  expect(verifyDraw({ proof }).cannotShow.join(' ')).toContain('names no ticket log');
  expect(failing({ proof, log: made.log, mail })).toEqual(['log', 'mail']);
});

test('whatever of the commitment was changed afterwards is found by a copy of it', () => {
  const other = madeDraw({ leaves: madeLeaves(13) });
  const commitment = JSON.stringify(other.commitment);
  expect(failing({ ...whole, commitment })).toEqual(['commitment']);
  const earlier = new Date(Date.parse(made.proof.closedAt) - 1000).toISOString();
  expect(failing({ ...changed({ closedAt: earlier }), commitment: whole.commitment })).toEqual(['commitment']);
  const announcedAt = new Date(Date.parse(made.proof.closedAt) + 1000).toISOString();
  expect(says({ ...changed({ beacon: { announcedAt } }), commitment: whole.commitment }, 'commitment')).toContain('beacon');
  expect(failing({ ...whole, commitment: '{}' })).toEqual(['commitment']);
});

/** Whether some step fails; what comes after it is not worked out. */
function fails(evidence: Evidence): boolean {
  for (const { state } of checkDraw(evidence)) if (state === 'fails') return true;
  return false;
}

test('whatever byte of a proof, its log, a mail’s head and the commitment is altered, something does not hold', () => {
  const small = madeDraw({ leaves: madeLeaves(3) });
  const evidence = {
    proof: JSON.stringify(small.proof),
    log: small.log,
    mail: headOf(small.leaves.slice(0, 2)),
    commitment: JSON.stringify(small.commitment),
  };
  expect(failing(evidence)).toEqual([]);
  // Each pairing of the beacon takes its time, so that one byte in several is tried.
  const strides = { proof: 11, log: 9, mail: 5, commitment: 41 };
  for (const name of ['proof', 'log', 'mail', 'commitment'] as const) {
    const bytes = Buffer.from(evidence[name]);
    for (let at = 0; at < bytes.length; at += strides[name]) {
      const byte = bytes[at] ?? 0;
      // Around a head in a mail, blanks and the dash may be what mail programs made of them.
      if (name === 'mail' && (byte <= 32 || byte > 126)) continue;
      const altered = Buffer.from(bytes);
      altered[at] = byte ^ 1;
      const isFound = fails({ ...evidence, [name]: altered.toString() });
      expect(isFound, `${name}, byte ${at}: ${bytes.subarray(Math.max(0, at - 10), at + 10).toString()}`).toBe(true);
    }
  }
});

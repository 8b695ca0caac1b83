import { chains, firstRoundFrom, deriveRandomness, roundTime, scheme, secondsToRound, verifyRound, type Chain } from './beacon.ts';
import { fromBase64, toBase64 } from './bytes.ts';
import { parseHead, verifyHead } from './checkpoint.ts';
import { findEntriesFault, pickEntries, computeEntriesRoot, countTickets, type Pick } from './draw.ts';
import { parseLogText, replayLog, type Replay } from './log.ts';
import { findHeads, checkMailedHeads } from './mail.ts';
import { type BeaconPart, parseProof, type ProofFile } from './proof-file.ts';
import { voidReasons } from './void-reasons.ts';

/** The proof file and optional further files of a draw, as text. */
export type Evidence = {
  proof: string;
  /** The whole ticket log, one leaf per line. */
  log?: string | undefined;
  /** An email about a ticket: its source or copied text. */
  mail?: string | undefined;
  /** The proof file from before the round was out. */
  commitment?: string | undefined;
};

export type Step = {
  name: 'file' | 'entries' | 'root' | 'round' | 'signature' | 'winner' | 'head' | 'log' | 'mail' | 'commitment';
  title: string;
  state: 'passed' | 'failed' | 'not-checked';
  /** Faults, the reason why it was not checked, or findings. */
  details: string[];
};

export type Verdict = {
  steps: Step[];
  /** No check failed. */
  isValid: boolean;
  /** The announced round is out and the result is in the file. */
  isDrawn: boolean;
  /** The deciding chain; null without entries or if the chain is not accepted. */
  chain: Chain['name'] | null;
  winner: Pick | null;
  /** What these files cannot prove. */
  limits: string[];
};

export const notReal = 'NOT A REAL DRAW: decided by the sandbox’s stand-in, whose key everybody knows.';

const titles: Record<Step['name'], string> = {
  file: 'The file is a proof of draw-v1',
  entries: 'The entries are in order, none appears twice, and their tickets add up to the total',
  root: 'The root matches these entries',
  round: 'The round was announced before it was out, and it is the one that had to be announced',
  signature: 'The randomness is the beacon’s, signed with its pinned key',
  winner: 'The winner and reserves follow from the randomness and the root',
  head: 'The last head of the ticket log is signed, and its length matches the entries and void entries',
  log: 'The ticket log replays to these entries, void entries and this last head',
  mail: 'The head in the email is the start of the ticket log',
  commitment: 'What was published before the round was out has not been changed',
};

type Outcome = { faults: string[]; details?: string[] } | { notChecked: string };

/** Runs all checks that the evidence allows, yielding each step so that a page can show progress. */
export function* checkDraw(evidence: Evidence): Generator<Step, Verdict> {
  const steps: Step[] = [];
  const step = (name: Step['name'], found: Outcome): Step => {
    const state = 'notChecked' in found ? 'not-checked' : found.faults.length > 0 ? 'failed' : 'passed';
    const details = 'notChecked' in found ? [found.notChecked] : [...found.faults, ...(found.details ?? [])];
    const made: Step = { name, title: titles[name], state, details };
    steps.push(made);
    return made;
  };

  const proof = parseProof(evidence.proof);
  yield step('file', { faults: typeof proof === 'string' ? [proof] : [] });
  if (typeof proof === 'string') return { steps, isValid: false, isDrawn: false, chain: null, winner: null, limits: [] };

  yield step('entries', checkEntries(proof));
  yield step('root', checkRoot(proof));
  yield step('round', checkRound(proof));
  yield step('signature', checkSignature(proof));
  yield step('winner', checkWinner(proof));
  const replay = evidence.log === undefined ? null : replayLog(parseLogText(evidence.log), listMailedSizes(evidence.mail));
  yield step('head', checkLastHead(proof));
  yield step('log', checkLog(proof, replay));
  yield step('mail', checkMail(proof, replay, evidence.mail));
  yield step('commitment', checkCommitment(proof, evidence.commitment));

  const isValid = steps.every(({ state }) => state !== 'failed');
  const chain = proof.beacon && (findChain(proof.beacon)?.name ?? null);
  const isDrawn = proof.result !== null;
  return { steps, isValid, isDrawn, chain, winner: proof.result?.winner ?? null, limits: listLimits(evidence, proof) };
}

export function verifyDraw(evidence: Evidence): Verdict {
  const steps = checkDraw(evidence);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

function checkEntries({ entries, totalTickets }: ProofFile): Outcome {
  const fault = findEntriesFault(entries);
  if (fault) return { faults: [fault] };
  const total = countTickets(entries);
  return { faults: total === totalTickets ? [] : [`the entries have ${total} tickets in total, the file says ${totalTickets}`] };
}

function checkRoot({ entries, root }: ProofFile): Outcome {
  const found = computeEntriesRoot(entries);
  return { faults: found === root ? [] : [`the root over these entries is ${found}, the file says ${root}`] };
}

/** The accepted chain that a proof names. The proof's own key is compared but never trusted. */
function findChain({ chainHash, publicKey }: BeaconPart): Chain | undefined {
  return Object.values(chains).find((chain) => chain.chainHash === chainHash && chain.publicKey === publicKey);
}

const noEntries: Outcome = { notChecked: 'nobody took part: nothing was drawn' };
const roundPending: Outcome = { notChecked: 'the announced round is not in the file: it is the commitment of before the draw' };

function checkRound({ beacon, entries, closedAt }: ProofFile): Outcome {
  if (!beacon) return entries.length === 0 ? noEntries : { faults: ['there are entries, but no round was announced for them'] };
  const chain = findChain(beacon);
  if (!chain) return { faults: ['the beacon is neither drand’s quicknet nor the sandbox’s: its key is not accepted'] };
  const faults: string[] = [];
  for (const name of ['genesisTime', 'period'] as const) {
    if (beacon[name] !== chain[name]) faults.push(`${chain.name} has the ${name} ${chain[name]}, the file says ${beacon[name]}`);
  }
  if (beacon.scheme !== scheme) faults.push(`the scheme is ${scheme}, the file says ${beacon.scheme}`);
  const closed = Date.parse(closedAt);
  const due = Object.values(secondsToRound).map((seconds) => firstRoundFrom(chain, closed + seconds * 1000));
  if (!due.includes(beacon.round))
    faults.push(`entries closed at ${closedAt}, so round ${due.join(' or ')} had to be announced, not ${beacon.round}`);
  const announced = Date.parse(beacon.announcedAt);
  const out = roundTime(chain, beacon.round);
  if (announced >= out) faults.push(`round ${beacon.round} was announced at ${beacon.announcedAt}, when it had already been published`);
  if (announced < closed) faults.push(`the round was announced at ${beacon.announcedAt}, before the entries were closed`);
  return { faults, details: [`round ${beacon.round} of ${chain.name}, out at ${new Date(out).toISOString()}`] };
}

function checkSignature({ beacon }: ProofFile): Outcome {
  if (!beacon) return noEntries;
  if (beacon.signature === null) return roundPending;
  const chain = findChain(beacon);
  if (!chain) return { faults: ['no accepted key can have signed it'] };
  if (!verifyRound(chain, beacon.round, beacon.signature))
    return { faults: [`it is not ${chain.name}’s signature of round ${beacon.round}`] };
  const randomness = deriveRandomness(beacon.signature);
  if (randomness !== beacon.randomness) return { faults: [`the signature gives the randomness ${randomness}, not ${beacon.randomness}`] };
  return { faults: [], details: chain === chains.sandbox ? [notReal] : [] };
}

function checkWinner({ entries, root, beacon, result, struck }: ProofFile): Outcome {
  if (!result) return struck.length === 0 ? roundPending : { faults: ['an entry was struck before anything was drawn'] };
  // Struck picks come before the winner, in the order of the draw.
  const published = [...struck, ...(result.winner ? [result.winner] : []), ...result.reserves];
  if (!result.winner && result.reserves.length > 0) return { faults: ['there are reserves, but nobody took the winner’s place'] };
  if (!beacon?.randomness) return published.length === 0 ? noEntries : { faults: ['somebody was picked without any randomness'] };
  const faultInEntries = findEntriesFault(entries);
  if (faultInEntries) return { faults: [faultInEntries] };
  let drawn: Pick[];
  try {
    drawn = pickEntries(entries, beacon.randomness, root);
  } catch (error) {
    return { faults: [String(error)] };
  }
  const passedOver = new Set(struck.flatMap(({ samePerson }) => samePerson));
  const picks = drawn.filter(({ entryId }) => !passedOver.has(entryId));
  const place = (at: number) => (at === 0 ? 'the first pick' : `pick ${at + 1}`);
  const faults = listPassedOverFaults(drawn, struck);
  for (let at = 0; at < Math.max(picks.length, published.length); at += 1) {
    const [right, claimed] = [picks[at], published[at]];
    if (right?.entryId === claimed?.entryId && right?.ticketIndex === claimed?.ticketIndex) continue;
    const words = (pick?: Pick) => (pick ? `entry ${pick.entryId} by ticket ${pick.ticketIndex}` : 'nobody');
    faults.push(`${place(at)} is ${words(right)}, the file says ${words(claimed)}`);
  }
  const details = struck.flatMap(({ entryId, reason, samePerson }) => [
    `entry ${entryId} was struck, and the next one took its place: ${reason}`,
    ...samePerson.map((other) => `entry ${other} was passed over: it belongs to the person behind the struck entry ${entryId}`),
  ]);
  return { faults, details };
}

/** Only picks after the struck one can be passed over for it. */
function listPassedOverFaults(drawn: readonly Pick[], struck: ProofFile['struck']): string[] {
  const places = new Map(drawn.map(({ entryId }, place) => [entryId, place]));
  return struck.flatMap(({ entryId, samePerson }) =>
    samePerson
      .filter((other) => (places.get(other) ?? -1) <= (places.get(entryId) ?? Infinity))
      .map((other) => `entry ${other} cannot be passed over for ${entryId}: it was not drawn after it`),
  );
}

const originSuffix = (year: number, month: number) => `/draws/${year}-${String(month).padStart(2, '0')}`;

function checkLastHead({ log, year, month, entries, voided }: ProofFile): Outcome {
  if (!log) return { notChecked: 'the file names no ticket log' };
  const head = parseHead(log.checkpoint);
  if (!head) return { faults: ['log.checkpoint is not a signed head'] };
  const faults: string[] = [];
  if (!verifyHead(head, log.publicKey)) faults.push('the head is not signed with log.publicKey');
  const end = originSuffix(year, month);
  if (head.origin !== log.origin || !log.origin.endsWith(end))
    faults.push(`the head is of ${head.origin}, not of this month’s log (…${end})`);
  if (head.size !== log.size) faults.push(`the head has the size ${head.size}, the file says ${log.size}`);
  if (toBase64(head.root) !== log.root) faults.push(`the head has the root ${toBase64(head.root)}, the file says ${log.root}`);
  // One leaf per entry, two per void entry.
  const size = voidReasons.reduce((sum, reason) => sum + 2 * voided[reason], entries.length);
  if (size !== log.size) faults.push(`entries and void entries make a log of ${size} leaves, the head says ${log.size}`);
  return { faults };
}

function checkLog({ log, entries, voided }: ProofFile, replay: Replay | null): Outcome {
  if (!replay) return { notChecked: 'the ticket log was not given' };
  if (!log) return { faults: ['the file names no ticket log'] };
  const faults = replay.faults.slice(0, 10);
  if (replay.faults.length > faults.length) faults.push(`and ${replay.faults.length - faults.length} more lines like these`);
  if (replay.size !== log.size) faults.push(`the log has ${replay.size} leaves, its last head says ${log.size}`);
  if (toBase64(replay.root) !== log.root) faults.push(`the log has the root ${toBase64(replay.root)}, its last head says ${log.root}`);
  for (const reason of voidReasons) {
    const [found, stated] = [replay.voided[reason], voided[reason]];
    if (found !== stated) faults.push(`the log has ${found} entries that are void (${reason}), the file says ${stated}`);
  }
  return { faults: [...faults, ...listDifferences(replay.tickets, entries)] };
}

function listDifferences(inLog: Map<string, number>, inDraw: ProofFile['entries']): string[] {
  const faults: string[] = [];
  let found = 0;
  for (const { id, tickets } of inDraw) {
    const logged = inLog.get(id);
    if (logged === undefined) faults.push(`entry ${id} of the draw is not in the log, or is void there`);
    else found += 1;
    if (logged !== undefined && logged !== tickets) faults.push(`entry ${id} has ${logged} tickets in the log and ${tickets} in the draw`);
  }
  if (found < inLog.size) {
    const drawn = new Set(inDraw.map(({ id }) => id));
    for (const id of inLog.keys()) if (!drawn.has(id)) faults.push(`entry ${id} of the log is not in the draw`);
  }
  return faults.length > 10 ? [...faults.slice(0, 10), `and ${faults.length - 10} more like these`] : faults;
}

const listMailedSizes = (mail: string | undefined) => findHeads(mail ?? '').map(({ size }) => size);

function checkMail({ log }: ProofFile, replay: Replay | null, mail: string | undefined): Outcome {
  if (mail === undefined) return { notChecked: 'no email was given' };
  if (!log) return { faults: ['the file names no ticket log'] };
  const rootAt = (size: number) => (size === log.size ? (fromBase64(log.root, 32) ?? undefined) : replay?.rootsAt.get(size));
  const unknown = replay ? 'cannot be compared: the log that was given is shorter' : 'can be compared only with the whole ticket log';
  return checkMailedHeads(mail, { ...log, rootAt }, unknown);
}

function checkCommitment(proof: ProofFile, earlier: string | undefined): Outcome {
  if (earlier === undefined) return { notChecked: 'no file from before the draw was given' };
  const before = parseProof(earlier);
  if (typeof before === 'string') return { faults: [`the earlier file is not a proof of draw-v1: ${before}`] };
  const [then, now] = [frozenParts(before), frozenParts(proof)];
  return { faults: frozenNames.filter((name) => then[name] !== now[name]).map((name) => `${name} is not what it was before the draw`) };
}

const frozenNames = ['year', 'month', 'closedAt', 'root', 'totalTickets', 'voided', 'entries', 'log', 'beacon'] as const;

/** Everything fixed before the round is out, as text to compare. */
function frozenParts(proof: ProofFile): Record<(typeof frozenNames)[number], string> {
  const parts = { ...proof, beacon: { ...proof.beacon, signature: null, randomness: null } };
  return Object.fromEntries(frozenNames.map((name) => [name, JSON.stringify(parts[name])])) as ReturnType<typeof frozenParts>;
}

function listLimits({ log, mail, commitment }: Evidence, proof: ProofFile): string[] {
  return [
    'That the people behind the entries are different, real people.',
    'That an email was sent to everyone who was issued a ticket.',
    ...(proof.struck.some(({ samePerson }) => samePerson.length > 0)
      ? ['That entries passed over belong to the person who was struck: only the owner of an entry sees whose it is.']
      : []),
    ...(proof.log ? [] : ['That the entries match what was said during the month: the file names no ticket log.']),
    ...(log === undefined ? ['That the entries match the ticket log: pass the log too.'] : []),
    ...(mail === undefined ? ['That nothing has changed since an email told you about your ticket: pass the email too.'] : []),
    ...(commitment === undefined
      ? ['That entries and round were published before the round was out: pass the file from that time too.']
      : []),
  ];
}

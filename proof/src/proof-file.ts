import { algorithm, type Entry, isEntryId, type Pick } from './draw.ts';
import { type VoidReason, voidReasons } from './void-reasons.ts';

// Parses a proof file as untrusted input: anything missing, unknown or of another type is rejected with its name.

type Struck = Pick & {
  reason: string;
  struckAt: string | null;
  /** Other picks of the same person, which are passed over; missing in proofs older than this rule. */
  samePerson: string[];
};
type LogPart = { origin: string; size: number; root: string; checkpoint: string; publicKey: string };
export type BeaconPart = {
  chainHash: string;
  publicKey: string;
  genesisTime: number;
  period: number;
  scheme: string;
  round: number;
  announcedAt: string;
  signature: string | null;
  randomness: string | null;
};
export type ProofFile = {
  year: number;
  month: number;
  closedAt: string;
  root: string;
  totalTickets: number;
  voided: Record<VoidReason, number>;
  /** Null: the proof names no log. */
  log: LogPart | null;
  /** Null: there were no entries. */
  beacon: BeaconPart | null;
  entries: Entry[];
  /** Null before the announced round is out; the file is then the commitment. */
  result: { winner: Pick | null; reserves: Pick[] } | null;
  struck: Struck[];
};

class InvalidProof extends Error {}

type Fields = Record<string, unknown>;
type Read<T> = (value: unknown, at: string) => T;

const preview = (value: unknown) => {
  const text = JSON.stringify(value) ?? 'missing';
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
};

function fields(value: unknown, at: string, names: readonly string[], optional: readonly string[] = []): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new InvalidProof(`${at} is not an object: ${preview(value)}`);
  for (const name of names) if (!Object.hasOwn(value, name)) throw new InvalidProof(`${at} has no ${name}`);
  for (const name of Object.keys(value)) {
    if (!names.includes(name) && !optional.includes(name))
      throw new InvalidProof(`${at} has ${preview(name)}, which is not part of a proof`);
  }
  return value as Fields;
}

const scalar =
  <T>(what: string, isValid: (value: unknown) => boolean): Read<T> =>
  (value, at) => {
    if (!isValid(value)) throw new InvalidProof(`${at} is not ${what}: ${preview(value)}`);
    return value as T;
  };
const isCount = (value: unknown) => Number.isSafeInteger(value) && (value as number) >= 0;
const isTime = (value: unknown) =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,3})?Z$/.test(value) && !Number.isNaN(Date.parse(value));

const text = scalar<string>('text', (value) => typeof value === 'string');
const count = scalar<number>('a whole number', isCount);
const time = scalar<string>('a time in UTC', isTime);
const entryId = scalar<string>('an entry id', (value) => typeof value === 'string' && isEntryId(value));
const hex = (bytes: number) =>
  scalar<string>(
    `${bytes} bytes in hexadecimal`,
    (value) => typeof value === 'string' && value.length === bytes * 2 && /^[\da-f]+$/.test(value),
  );
const hash = hex(32);

function list<T>(value: unknown, at: string, each: Read<T>): T[] {
  if (!Array.isArray(value)) throw new InvalidProof(`${at} is not a list: ${preview(value)}`);
  return value.map((one, place) => each(one, `${at}[${place}]`));
}

const entry: Read<Entry> = (value, at) => {
  const part = fields(value, at, ['id', 'tickets']);
  return { id: entryId(part['id'], `${at}.id`), tickets: count(part['tickets'], `${at}.tickets`) };
};

const pick: Read<Pick> = (value, at) => toPick(fields(value, at, ['entryId', 'ticketIndex']), at);
const toPick = (part: Fields, at: string): Pick => ({
  entryId: entryId(part['entryId'], `${at}.entryId`),
  ticketIndex: count(part['ticketIndex'], `${at}.ticketIndex`),
});

const struck: Read<Struck> = (value, at) => {
  const part = fields(value, at, ['entryId', 'ticketIndex', 'reason'], ['struckAt', 'samePerson']);
  const struckAt = part['struckAt'] === undefined ? null : time(part['struckAt'], `${at}.struckAt`);
  const samePerson = part['samePerson'] === undefined ? [] : list(part['samePerson'], `${at}.samePerson`, entryId);
  return { ...toPick(part, at), reason: text(part['reason'], `${at}.reason`), struckAt, samePerson };
};

const log: Read<LogPart> = (value, at) => {
  const part = fields(value, at, ['origin', 'size', 'root', 'checkpoint', 'publicKey']);
  return {
    origin: text(part['origin'], `${at}.origin`),
    size: count(part['size'], `${at}.size`),
    root: text(part['root'], `${at}.root`),
    checkpoint: text(part['checkpoint'], `${at}.checkpoint`),
    publicKey: hash(part['publicKey'], `${at}.publicKey`),
  };
};

const beacon: Read<BeaconPart> = (value, at) => {
  const names = ['chainHash', 'publicKey', 'genesisTime', 'period', 'scheme', 'round', 'announcedAt'];
  const part = fields(value, at, names, ['signature', 'randomness']);
  const optional = <T>(name: string, read: Read<T>) => (part[name] === undefined ? null : read(part[name], `${at}.${name}`));
  return {
    chainHash: hash(part['chainHash'], `${at}.chainHash`),
    publicKey: hex(96)(part['publicKey'], `${at}.publicKey`),
    genesisTime: count(part['genesisTime'], `${at}.genesisTime`),
    period: count(part['period'], `${at}.period`),
    scheme: text(part['scheme'], `${at}.scheme`),
    round: count(part['round'], `${at}.round`),
    announcedAt: time(part['announcedAt'], `${at}.announcedAt`),
    signature: optional('signature', hex(48)),
    randomness: optional('randomness', hash),
  };
};

const parseMonth = (part: Fields) => {
  const [year, month] = [count(part['year'], 'year'), count(part['month'], 'month')];
  if (year < 2000 || year > 9999 || month < 1 || month > 12) throw new InvalidProof(`there is no month ${year}-${month}`);
  return { year, month };
};

function voided(value: unknown): Record<VoidReason, number> {
  const part = fields(value, 'voided', voidReasons);
  return Object.fromEntries(voidReasons.map((reason) => [reason, count(part[reason], `voided.${reason}`)])) as Record<VoidReason, number>;
}

/** The whole result or none of it, because a partial one would hide something. */
function parseResult(part: Fields, source: BeaconPart | null): ProofFile['result'] {
  const { signature, randomness } = source ?? {};
  const result = {
    ...(source && { signature: signature ?? undefined, randomness: randomness ?? undefined }),
    winner: part['winner'],
    reserves: part['reserves'],
  };
  const missing = Object.entries(result).filter(([, value]) => value === undefined);
  if (source && missing.length === Object.keys(result).length) return null;
  const [first] = missing[0] ?? [];
  if (first) throw new InvalidProof(`the file has a part of the result, but no ${first}`);
  return { winner: part['winner'] === null ? null : pick(part['winner'], 'winner'), reserves: list(part['reserves'], 'reserves', pick) };
}

const names = ['algorithm', 'year', 'month', 'closedAt', 'root', 'totalTickets', 'voided', 'beacon', 'entries', 'struck'];

/** The proof, or the fault as text. */
export function parseProof(file: string): ProofFile | string {
  try {
    const part = fields(JSON.parse(file), 'the file', names, ['log', 'winner', 'reserves']);
    if (part['algorithm'] !== algorithm) throw new InvalidProof(`its algorithm is ${preview(part['algorithm'])}, not ${algorithm}`);
    const source = part['beacon'] === null ? null : beacon(part['beacon'], 'beacon');
    return {
      ...parseMonth(part),
      closedAt: time(part['closedAt'], 'closedAt'),
      root: hash(part['root'], 'root'),
      totalTickets: count(part['totalTickets'], 'totalTickets'),
      voided: voided(part['voided']),
      log: part['log'] === undefined ? null : log(part['log'], 'log'),
      beacon: source,
      entries: list(part['entries'], 'entries', entry),
      result: parseResult(part, source),
      struck: list(part['struck'], 'struck', struck),
    };
  } catch (error) {
    if (error instanceof InvalidProof) return error.message;
    if (error instanceof SyntaxError) return `it is not JSON: ${error.message}`;
    throw error;
  }
}

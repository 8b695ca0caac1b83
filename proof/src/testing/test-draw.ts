import { createPrivateKey, createPublicKey, sign } from 'node:crypto';
import { type Chain, firstRoundFrom, deriveRandomness, roundTime, sandboxChain, scheme } from '../beacon.ts';
import { toBase64, toHex } from '../bytes.ts';
import { signHead, type Signer } from '../checkpoint.ts';
import { algorithm, type Entry, pickEntries, computeEntriesRoot, countTickets } from '../draw.ts';
import { formatLeafTime, replayLog } from '../log.ts';
import { signSandboxRound } from '../sandbox-key.ts';

const seeded = (seed: number): Signer => {
  const der = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), Buffer.alloc(32, seed)]);
  const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  const publicKey = createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(-32);
  return { publicKey: new Uint8Array(publicKey), sign: (message) => new Uint8Array(sign(null, message, key)) };
};
export const siteKey = seeded(7);
export const otherKey = seeded(8);

const origin = 'handwise.example/draws/2026-11';
const closedAt = new Date('2026-11-30T10:30:00.000Z');
/** Unsorted ids. */
export const idOf = (entry: number) => ((entry * 0x9e37_79b1) >>> 0).toString(16).padStart(32, '0');

/** Leaves of a month: entry k gets k % 5 + 1 tickets, and every seventh is voided. */
export function createTestLeaves(entries: number): string[] {
  const at = (minute: number) => formatLeafTime(new Date(Date.UTC(2026, 10, 2, 0, minute)));
  const leaves: string[] = [];
  for (let entry = 0; entry < entries; entry += 1) {
    leaves.push(`+ ${idOf(entry)} ${(entry % 5) + 1} ${at(entry)}`);
    if (entry % 7 === 6) leaves.push(`- ${idOf(entry - 1)} ${entry % 2 ? 'swapped' : 'unconfirmed'} ${at(entry)}`);
  }
  return leaves;
}

export function signTestHead(leaves: string[], signer = siteKey, of = origin): string {
  const { root, size } = replayLog(leaves);
  return signHead({ origin: of, size, root }, signer);
}

type Options = {
  leaves?: string[];
  /** Overrides the entries or their order. */
  entries?: Entry[];
  chain?: Chain;
  round?: number;
  signature?: string;
  closedAt?: Date;
};

/** A published draw, decided by the sandbox's chain unless a signature is given. */
export function createTestDraw(options: Options = {}) {
  const leaves = options.leaves ?? createTestLeaves(12);
  const replay = replayLog(leaves);
  const entries = options.entries ?? replay.entries;
  const chain = options.chain ?? sandboxChain;
  const closed = options.closedAt ?? closedAt;
  const round = options.round ?? firstRoundFrom(chain, closed.getTime() + 300_000);
  const signature = options.signature ?? signSandboxRound(round);
  const randomness = deriveRandomness(signature) ?? '';
  const root = computeEntriesRoot(entries);
  const [winner = null, ...reserves] = pickEntries(entries, randomness, root);
  const checkpoint = signTestHead(leaves);
  const { chainHash, publicKey, genesisTime, period } = chain;
  const announced = { chainHash, publicKey, genesisTime, period, scheme, round, announcedAt: closed.toISOString() };
  const log = { origin, size: replay.size, root: toBase64(replay.root), checkpoint, publicKey: toHex(siteKey.publicKey) };
  const frozen = {
    algorithm,
    year: 2026,
    month: 11,
    closedAt: closed.toISOString(),
    root,
    totalTickets: countTickets(entries),
    voided: replay.voided,
    log,
  };
  return {
    leaves,
    log: `${leaves.join('\n')}\n`,
    commitment: { ...frozen, beacon: announced, entries, struck: [] },
    proof: { ...frozen, beacon: { ...announced, signature, randomness }, entries, winner, reserves, struck: [] as object[] },
    expectedAt: new Date(roundTime(chain, round)),
  };
}

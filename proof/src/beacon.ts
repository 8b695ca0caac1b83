import { bls12_381 } from '@noble/curves/bls12-381.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { fromHex, toHex } from './bytes.ts';

// The public randomness of drand: a signature every few seconds that nobody can know before, or choose. Scheme
// bls-unchained-g1-rfc9380: the round's number is signed alone, signatures are points of G1, keys of G2.

/** @public As drand calls it. */
export const scheme = 'bls-unchained-g1-rfc9380';

export type Chain = {
  name: 'quicknet' | 'sandbox';
  chainHash: string;
  publicKey: string;
  /** The second in which round 1 is out. */
  genesisTime: number;
  /** Seconds from a round to the next. */
  period: number;
};

/** League of Entropy's chain, whose keys several independent organisations hold together. */
export const quicknet: Chain = {
  name: 'quicknet',
  chainHash: '52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971',
  publicKey:
    '83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c8c4b450b6a0a6c3ac6a5776a2d1064510d1fec758c921cc22b0e17e63aaf4bcb5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a',
  genesisTime: 1_692_803_367,
  period: 3,
};

/** The stand-in's: its secret key is in this repository, so its rounds are no secret before their time, and decide nothing real. */
export const sandboxChain: Chain = {
  name: 'sandbox',
  chainHash: '11b0d59558ecfa34ba78b2165c27df22355712af77b9aafc3788e901f956f5ec',
  publicKey:
    'a8b2e8cce0246d7c02bb3b5b80e55159deda1189843e172bf3578f770070c89ed912672588d9223d5f35da1caee3809819cca78c1a565b11405c752b81130ff445b89728aa766217e949653f12d4705ab80de93c933d445b7d0af8d557bc40ef',
  genesisTime: 1_577_836_800,
  period: 3,
};

/** The chains whose signatures count: the key that a proof names itself counts for nothing. */
export const chains = { quicknet, sandbox: sandboxChain } as const;

/** When a round is out, in milliseconds. */
export const roundTime = (chain: Chain, round: number) => (chain.genesisTime + (round - 1) * chain.period) * 1000;

/** The first round that is out at this time or after it. */
export function firstRoundFrom(chain: Chain, time: number): number {
  return Math.max(1, Math.ceil((time / 1000 - chain.genesisTime) / chain.period) + 1);
}

/** How long after closing the announced round is out at the earliest, in seconds. */
export const secondsToRound = { monthEnd: 300, byHand: 30 } as const;

const { shortSignatures } = bls12_381;

/** What is signed: the round's number in eight bytes, hashed, then hashed to a point. */
export function pointOfRound(round: number) {
  const number = new Uint8Array(8);
  new DataView(number.buffer).setBigUint64(0, BigInt(round));
  return shortSignatures.hash(sha256(number), 'BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_');
}

/** Whether this is the chain's signature of the round. */
export function verifyRound(chain: Chain, round: number, signature: string): boolean {
  const bytes = fromHex(signature, 48);
  const key = fromHex(chain.publicKey, 96);
  if (!bytes || !key || !Number.isSafeInteger(round) || round < 1) return false;
  try {
    return shortSignatures.verify(bytes, pointOfRound(round), key);
  } catch {
    // Bytes that are no point of the curve.
    return false;
  }
}

/** The randomness of a verified signature, in hexadecimal. */
export function randomnessOf(signature: string): string | null {
  const bytes = fromHex(signature, 48);
  return bytes && toHex(sha256(bytes));
}

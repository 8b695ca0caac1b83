import { bls12_381 } from '@noble/curves/bls12-381.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { fromHex, toHex } from './bytes.ts';

// Public randomness of drand: every few seconds a signature that cannot be predicted or chosen. In scheme bls-unchained-g1-rfc9380 only the
// round's number is signed; signatures are points of G1, keys of G2.

/** @public drand's name. */
export const scheme = 'bls-unchained-g1-rfc9380';

export type Chain = {
  name: 'quicknet' | 'sandbox';
  chainHash: string;
  publicKey: string;
  /** Unix time of round 1 in seconds. */
  genesisTime: number;
  /** Seconds between rounds. */
  period: number;
};

/** League of Entropy's chain; several independent organisations share its key. */
export const quicknet: Chain = {
  name: 'quicknet',
  chainHash: '52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971',
  publicKey:
    '83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c8c4b450b6a0a6c3ac6a5776a2d1064510d1fec758c921cc22b0e17e63aaf4bcb5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a',
  genesisTime: 1_692_803_367,
  period: 3,
};

/** The sandbox's chain: its secret key is in this repository, so its rounds are predictable and decide nothing real. */
export const sandboxChain: Chain = {
  name: 'sandbox',
  chainHash: '11b0d59558ecfa34ba78b2165c27df22355712af77b9aafc3788e901f956f5ec',
  publicKey:
    'a8b2e8cce0246d7c02bb3b5b80e55159deda1189843e172bf3578f770070c89ed912672588d9223d5f35da1caee3809819cca78c1a565b11405c752b81130ff445b89728aa766217e949653f12d4705ab80de93c933d445b7d0af8d557bc40ef',
  genesisTime: 1_577_836_800,
  period: 3,
};

/** The only accepted chains; a key named in a proof is never trusted. */
export const chains = { quicknet, sandbox: sandboxChain } as const;

/** Publication time of a round in milliseconds. */
export const roundTime = (chain: Chain, round: number) => (chain.genesisTime + (round - 1) * chain.period) * 1000;

/** The first round published at or after `time`, in milliseconds. */
export function firstRoundFrom(chain: Chain, time: number): number {
  return Math.max(1, Math.ceil((time / 1000 - chain.genesisTime) / chain.period) + 1);
}

/** Least seconds from closing to the announced round. */
export const secondsToRound = { monthEnd: 300, byHand: 30 } as const;

const { shortSignatures } = bls12_381;

/** The signed message: the round's number in eight bytes, hashed, then hashed to a curve point. */
export function hashRoundToPoint(round: number) {
  const number = new Uint8Array(8);
  new DataView(number.buffer).setBigUint64(0, BigInt(round));
  return shortSignatures.hash(sha256(number), 'BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_');
}

export function verifyRound(chain: Chain, round: number, signature: string): boolean {
  const bytes = fromHex(signature, 48);
  const key = fromHex(chain.publicKey, 96);
  if (!bytes || !key || !Number.isSafeInteger(round) || round < 1) return false;
  try {
    return shortSignatures.verify(bytes, hashRoundToPoint(round), key);
  } catch {
    // Not a point of the curve.
    return false;
  }
}

/** The randomness of a verified signature, in hexadecimal. */
export function deriveRandomness(signature: string): string | null {
  const bytes = fromHex(signature, 48);
  return bytes && toHex(sha256(bytes));
}

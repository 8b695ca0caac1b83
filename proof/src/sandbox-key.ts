import { bls12_381 } from '@noble/curves/bls12-381.js';
import { pointOfRound } from './beacon.ts';
import { fromHex, toHex } from './bytes.ts';

// The secret key of the sandbox's chain, for everybody to see: what it signs is accepted as NOT A REAL DRAW and as nothing else.
const secretKey = '1096421631a2867b7a266e0eed1b9e220ed49188c2577abb77ad9b30faf8876d';

/** The signature of a round of the sandbox's chain, in hexadecimal. */
export function signSandboxRound(round: number): string {
  const key = fromHex(secretKey, 32) ?? new Uint8Array(32);
  return toHex(bls12_381.shortSignatures.sign(pointOfRound(round), key).toBytes());
}

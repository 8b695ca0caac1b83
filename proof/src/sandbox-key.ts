import { bls12_381 } from '@noble/curves/bls12-381.js';
import { hashRoundToPoint } from './beacon.ts';
import { fromHex, toHex } from './bytes.ts';

// The public secret key of the sandbox's chain: draws that it signs are only accepted as NOT A REAL DRAW.
const secretKey = '1096421631a2867b7a266e0eed1b9e220ed49188c2577abb77ad9b30faf8876d';

/** In hexadecimal. */
export function signSandboxRound(round: number): string {
  const key = fromHex(secretKey, 32) ?? new Uint8Array(32);
  return toHex(bls12_381.shortSignatures.sign(hashRoundToPoint(round), key).toBytes());
}

import { randomInt } from 'node:crypto';
import { recoveryCodeCount, recoveryCodeLength } from '@handwise/contract/sign-in/second-step';
import { siteName } from '@handwise/contract/site/name';
import { generateSecret, generateURI, verifySync } from 'otplib';
import type { Tx } from '../../kit/database/database.ts';
import { hashOf } from '../../kit/identity/tokens.ts';
import * as queries from './sign-in.queries.ts';

/** How far the clock of a phone may be off: the step before and the step after are taken as well. */
const toleranceSeconds = 30;

export const newSecret = () => generateSecret({ length: 20 });

export const uriOf = (secret: string, email: string) => generateURI({ issuer: siteName, label: email, secret });

/** The step of 30 seconds that this code is of, or undefined for a wrong one. Compared in constant time. */
export function stepOf(secret: string, code: string, now: Date): number | undefined {
  const result = verifySync({ secret, token: code, epoch: Math.floor(now.getTime() / 1000), epochTolerance: toleranceSeconds });
  return result.valid && 'timeStep' in result ? result.timeStep : undefined;
}

// Without those that look like another one.
const letters = 'ABCDEFGHJKMNPQRSTVWXYZ23456789';

const newRecoveryCode = () => Array.from({ length: recoveryCodeLength }, () => letters[randomInt(letters.length)]).join('');

/** Gives the user new recovery codes and ends the earlier ones: as they are shown, in groups. */
export async function giveRecoveryCodes(tx: Tx, userId: string): Promise<string[]> {
  const codes = Array.from({ length: recoveryCodeCount }, newRecoveryCode);
  await queries.deleteRecoveryCodes(tx, userId);
  await queries.insertRecoveryCodes(tx, userId, codes.map(hashOf));
  return codes.map((code) => code.replaceAll(/(.{6})(?=.)/g, '$1-'));
}

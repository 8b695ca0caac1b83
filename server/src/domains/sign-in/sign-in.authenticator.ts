import { randomInt } from 'node:crypto';
import { generateSecret, generateURI, verifySync } from 'otplib';
import { recoveryCodeCount, recoveryCodeLength } from '@handwise/contract/sign-in/second-step';
import { site } from '@handwise/contract/site/site';
import type { Context } from '../../kit/context.ts';
import type { Tx } from '../../kit/database/database.ts';
import { AppError, invalidField } from '../../kit/errors.ts';
import { type LimitedKey, limitFailures } from '../../kit/identity/attempts.ts';
import { sendMail } from '../../kit/mail/mail.ts';
import type { Sealed } from '../../kit/secrets/keys.ts';
import { hashToken } from '../../kit/secrets/tokens.ts';
import { type ChangedBy, findContact, lockUser, requireConfirmed } from '../accounts/accounts.service.ts';
import type { SignInContext } from './sign-in.context.ts';
import { type Change, signInChangedEmail } from './sign-in.emails.ts';
import * as queries from './sign-in.queries.ts';
import type { AuthenticatorRow } from './sign-in.queries.ts';

/** Tolerated clock skew of a phone: codes of the previous and the next time step are accepted too. */
const toleranceSeconds = 30;

const createSecret = () => generateSecret({ length: 20 });

const authenticatorUri = (secret: string, email: string) => generateURI({ issuer: site.name, label: email, secret });

/** The 30-second time step of a code; undefined for a wrong one. Compared in constant time. */
export function verifyAppCode(secret: string, code: string, now: Date): number | undefined {
  const result = verifySync({ secret, token: code, epoch: Math.floor(now.getTime() / 1000), epochTolerance: toleranceSeconds });
  return result.valid && 'timeStep' in result ? result.timeStep : undefined;
}

// Without letters and digits that look alike.
const letters = 'ABCDEFGHJKMNPQRSTVWXYZ23456789';

const newRecoveryCode = () => Array.from({ length: recoveryCodeLength }, () => letters[randomInt(letters.length)]).join('');

/** Replaces the user's recovery codes and returns them grouped for display. */
async function createRecoveryCodes(tx: Tx, userId: string): Promise<string[]> {
  const codes = Array.from({ length: recoveryCodeCount }, newRecoveryCode);
  await queries.deleteRecoveryCodes(tx, userId);
  await queries.insertRecoveryCodes(tx, userId, codes.map(hashToken));
  return codes.map((code) => code.replaceAll(/(.{6})(?=.)/g, '$1-'));
}

// Codes are computed from an app's secret, so it cannot be hashed. It is sealed with a key that is not in the database.

type Keys = Pick<SignInContext, 'accountKeys'>;

/** The context that a secret is bound to, so that another account's secret does not open. */
const sealContext = (userId: string) => `authenticator of ${userId}`;

const sealSecret = ({ accountKeys }: Keys, userId: string, secret: string): Sealed => accountKeys.seal(secret, sealContext(userId));

/** Secrets older than the account keys are in clear text until the job seals them. */
export function openSecret({ accountKeys }: Keys, { user_id: userId, secret, key_id: keyId, sealed }: AuthenticatorRow): string {
  if (sealed === null || keyId === null) return secret ?? '';
  return accountKeys.open({ keyId, sealed }, sealContext(userId));
}

/** Seals all secrets with the first key, after which the other keys can be removed. */
export async function resealSecrets(context: SignInContext): Promise<void> {
  const { db, accountKeys, logger } = context;
  for (const row of await queries.listAuthenticatorsToReseal(db, accountKeys.keyId)) {
    try {
      await queries.resealAuthenticator(db, row, sealSecret(context, row.user_id, openSecret(context, row)));
    } catch (error) {
      logger.error(
        { err: error, userId: row.user_id },
        'the secret of an authenticator app cannot be decrypted: is its key still in ACCOUNT_KEYS?',
      );
    }
  }
}

/** Per account, over all networks, because a caller who tries codes already knows the password. */
export const codeLimits = (userId: string): LimitedKey[] => [
  { key: `second-step:${userId}`, limit: { max: 10, windowSeconds: 15 * 60 } },
  { key: `second-step-day:${userId}`, limit: { max: 50, windowSeconds: 24 * 60 * 60 } },
];

export const wrongCodeError = (field: string) =>
  invalidField(
    field,
    field === 'code'
      ? 'This code is not right. Use the one your app shows now.'
      : 'This recovery code is not right, or has already been used.',
  );

/** Emails the owner of an account that a way to sign in to it has changed. */
export async function notifyOfChange(
  { jobs, clock, appUrl }: Context,
  tx: Tx,
  userId: string,
  change: Change,
  { browser, timeZoneOf }: ChangedBy,
): Promise<void> {
  const { email } = await findContact(tx, userId);
  const timeZone = await timeZoneOf(tx, userId);
  await jobs.send(tx, sendMail, signInChangedEmail({ to: email, appUrl }, change, { browser, at: clock.now(), timeZone }));
}

/** Creates a secret for an app, replacing an unconfirmed one. Throws `address_not_confirmed`, `authenticator_exists`. */
export async function setUpAuthenticator(context: SignInContext, userId: string) {
  const { db } = context;
  const user = await findContact(db, userId);
  requireConfirmed(user);
  const secret = createSecret();
  if (!(await queries.saveNewAuthenticator(db, userId, sealSecret(context, userId, secret)))) throw new AppError('authenticator_exists');
  return { secret, uri: authenticatorUri(secret, user.email) };
}

/** Makes signing in require a code. Throws `address_not_confirmed`, and `invalid_input` for a wrong code. */
export async function confirmAuthenticator(context: SignInContext, userId: string, code: string, by: ChangedBy): Promise<string[]> {
  const { db, clock } = context;
  const codes = await limitFailures(db, codeLimits(userId), () =>
    db.transaction().execute(async (tx) => {
      requireConfirmed(await lockUser(tx, userId));
      const row = await queries.findNewAuthenticator(tx, userId);
      if (!row) {
        throw new AppError((await queries.findAuthenticator(tx, userId)) ? 'authenticator_exists' : 'authenticator_not_found');
      }
      const step = verifyAppCode(openSecret(context, row), code, clock.now());
      if (step === undefined || !(await queries.setAuthenticatorConfirmed(tx, row, step, clock.now()))) return undefined;
      await notifyOfChange(context, tx, userId, 'authenticatorAdded', by);
      return createRecoveryCodes(tx, userId);
    }),
  );
  if (!codes) throw wrongCodeError('code');
  return codes;
}

/** Removes the app and the recovery codes, so that the password alone signs in. Throws `authenticator_not_found`. */
export const removeAuthenticator = (context: Context, userId: string, by: ChangedBy): Promise<void> =>
  context.db.transaction().execute(async (tx) => {
    if (!(await queries.deleteAuthenticator(tx, userId))) throw new AppError('authenticator_not_found');
    await queries.deleteRecoveryCodes(tx, userId);
    await notifyOfChange(context, tx, userId, 'authenticatorRemoved', by);
  });

/** Replaces the recovery codes. Throws `authenticator_not_found`. */
export const renewRecoveryCodes = (context: Context, userId: string, by: ChangedBy): Promise<string[]> =>
  context.db.transaction().execute(async (tx) => {
    await lockUser(tx, userId);
    if (!(await queries.findAuthenticator(tx, userId))) throw new AppError('authenticator_not_found');
    await notifyOfChange(context, tx, userId, 'recoveryCodesRenewed', by);
    return createRecoveryCodes(tx, userId);
  });

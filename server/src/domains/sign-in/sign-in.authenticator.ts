import type { LimitedKey } from '../../kit/identity/attempts.ts';
import { limitFailures } from '../../kit/identity/attempts.ts';
import type { Context } from '../../kit/context.ts';
import type { Tx } from '../../kit/database/database.ts';
import { AppError, invalidField } from '../../kit/errors.ts';
import { sendMail } from '../../kit/mail/mail.ts';
import { type ChangedBy, findContact, lockUser, requireConfirmed } from '../accounts/accounts.service.ts';
import { giveRecoveryCodes, newSecret, stepOf, uriOf } from './sign-in.codes.ts';
import type { SignInContext } from './sign-in.context.ts';
import { type Change, changeMail } from './sign-in.mails.ts';
import * as queries from './sign-in.queries.ts';
import { sealSecret, secretOf } from './sign-in.sealed.ts';

/** For each account, from wherever they come: whoever tries codes knows its password already. */
export const codeLimits = (userId: string): LimitedKey[] => [
  { key: `second-step:${userId}`, limit: { max: 10, windowSeconds: 15 * 60 } },
  { key: `second-step-day:${userId}`, limit: { max: 50, windowSeconds: 24 * 60 * 60 } },
];

export const wrongCode = (field: string) =>
  invalidField(
    field,
    field === 'code'
      ? 'This code is not right. Use the one your app shows now.'
      : 'This recovery code is not right, or has already been used.',
  );

/** Tells the owner of an account that the way to sign in to it has changed. */
export async function tellOfChange(
  { jobs, clock, appUrl }: Context,
  tx: Tx,
  userId: string,
  change: Change,
  { browser, timeZoneOf }: ChangedBy,
): Promise<void> {
  const { email } = await findContact(tx, userId);
  const timeZone = await timeZoneOf(tx, userId);
  await jobs.send(tx, sendMail, changeMail({ to: email, appUrl }, change, { browser, at: clock.now(), timeZone }));
}

/** A secret for an app. One that was given before and never used is replaced. Throws `address_not_confirmed`, `authenticator_exists`. */
export async function setUpAuthenticator(context: SignInContext, userId: string) {
  const { db } = context;
  const user = await findContact(db, userId);
  requireConfirmed(user);
  const secret = newSecret();
  if (!(await queries.saveNewAuthenticator(db, userId, sealSecret(context, userId, secret)))) throw new AppError('authenticator_exists');
  return { secret, uri: uriOf(secret, user.email) };
}

/** From now on signing in asks for a code. Throws `address_not_confirmed`, and `invalid_input` for a wrong one. */
export async function confirmAuthenticator(context: SignInContext, userId: string, code: string, by: ChangedBy): Promise<string[]> {
  const { db, clock } = context;
  const codes = await limitFailures(db, codeLimits(userId), () =>
    db.transaction().execute(async (tx) => {
      requireConfirmed(await lockUser(tx, userId));
      const row = await queries.findNewAuthenticator(tx, userId);
      if (!row) {
        throw new AppError((await queries.findAuthenticator(tx, userId)) ? 'authenticator_exists' : 'authenticator_not_found');
      }
      const step = stepOf(secretOf(context, row), code, clock.now());
      if (step === undefined || !(await queries.confirmAuthenticator(tx, row, step, clock.now()))) return undefined;
      await tellOfChange(context, tx, userId, 'authenticatorAdded', by);
      return giveRecoveryCodes(tx, userId);
    }),
  );
  if (!codes) throw wrongCode('code');
  return codes;
}

/** Signing in goes with the password alone again, and the recovery codes end. Throws `authenticator_not_found`. */
export const removeAuthenticator = (context: Context, userId: string, by: ChangedBy): Promise<void> =>
  context.db.transaction().execute(async (tx) => {
    if (!(await queries.deleteAuthenticator(tx, userId))) throw new AppError('authenticator_not_found');
    await queries.deleteRecoveryCodes(tx, userId);
    await tellOfChange(context, tx, userId, 'authenticatorRemoved', by);
  });

/** New recovery codes; the earlier ones end. Throws `authenticator_not_found`. */
export const renewRecoveryCodes = (context: Context, userId: string, by: ChangedBy): Promise<string[]> =>
  context.db.transaction().execute(async (tx) => {
    await lockUser(tx, userId);
    if (!(await queries.findAuthenticator(tx, userId))) throw new AppError('authenticator_not_found');
    await tellOfChange(context, tx, userId, 'recoveryCodesRenewed', by);
    return giveRecoveryCodes(tx, userId);
  });

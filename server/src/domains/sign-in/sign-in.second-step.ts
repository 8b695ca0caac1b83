import { secondStepMinutes } from '@handwise/contract/periods';
import type { PasskeyAnswer } from '@handwise/contract/sign-in/passkeys';
import type { secondStepMethods } from '@handwise/contract/sign-in/second-step';
import type { Caller } from '../../kit/caller.ts';
import type { Context } from '../../kit/context.ts';
import type { Tx } from '../../kit/database/database.ts';
import { AppError, invalidField } from '../../kit/errors.ts';
import type { RelyingParty } from '../../kit/hosts.ts';
import { limitFailures } from '../../kit/identity/attempts.ts';
import { hashToken, createToken } from '../../kit/secrets/tokens.ts';
import { type ChangedBy, lockUserRow, type Session, startSession } from '../accounts/accounts.service.ts';
import { codeLimits, notifyOfChange, wrongCodeError } from './sign-in.authenticator.ts';
import { verifyAppCode } from './sign-in.authenticator.ts';
import { openSecret } from './sign-in.authenticator.ts';
import type { SignInContext } from './sign-in.context.ts';
import { createPasskeyOptions, listPasskeysForSite, verifyPasskey } from './sign-in.passkeys.ts';
import * as queries from './sign-in.queries.ts';

const secondStepMs = secondStepMinutes * 60 * 1000;

type SecondStep = { secondStep: { token: string; methods: (typeof secondStepMethods)[number][] } };

/** After a right password, with the user locked: starts a session, or returns the token of the second step if the account requires one. */
export async function startSignIn(
  { clock }: Context,
  tx: Tx,
  user: Parameters<typeof startSession>[1],
  site: RelyingParty,
  from: Caller,
): Promise<Session | SecondStep> {
  if (!(await queries.findAuthenticator(tx, user.id))) return startSession(tx, user, from, clock.now());
  const token = createToken();
  const expires = new Date(clock.now().getTime() + secondStepMs);
  await queries.insertChallenge(tx, { token_hash: hashToken(token), purpose: 'second-step', user_id: user.id, expires_at: expires });
  const methods: SecondStep['secondStep']['methods'] = ['code'];
  if ((await queries.countRecoveryCodes(tx, user.id)) > 0) methods.push('recoveryCode');
  if ((await listPasskeysForSite(tx, user.id, site)).length > 0) methods.push('passkey');
  return { secondStep: { token, methods } };
}

type Answer = { code?: string | undefined; recoveryCode?: string | undefined; passkey?: PasskeyAnswer | undefined };

/** The user of a sign-in that waits for its second step. Throws `sign_in_over`. */
async function getUserOfStep({ db, clock }: Context, token: string): Promise<string> {
  const userId = (await queries.findChallengeUser(db, hashToken(token), 'second-step', clock.now()))?.user_id;
  if (!userId) throw new AppError('sign_in_over');
  return userId;
}

/** Throws `sign_in_over`, `passkey_not_found`. */
export const secondStepPasskeyOptions = async (context: Context, token: string, site: RelyingParty) =>
  createPasskeyOptions(context, 'passkey-second-step', await getUserOfStep(context, token), site);

/** Starts the session that the first step was for. Throws `sign_in_over`, `invalid_input`, `passkey_refused`, `too_many_requests`. */
export async function finishSignIn(
  context: SignInContext,
  token: string,
  answer: Answer,
  site: RelyingParty,
  from: Caller & ChangedBy,
): Promise<Session> {
  const { db, clock } = context;
  const tokenHash = hashToken(token);
  const userId = await getUserOfStep(context, token);
  const { code, passkey } = answer;
  if (passkey) await verifyPasskey(context, passkey, { purpose: 'passkey-second-step', userId }, site);
  else requireAnswer(answer);
  const finish = () =>
    db.transaction().execute(async (tx) => {
      // Locks the user's row first, as a password change does, which deletes the challenge and ends the sessions that exist by then.
      const user = await lockUserRow(tx, userId);
      const isPending = await queries.lockChallenge(tx, tokenHash, 'second-step', clock.now());
      if (!isPending || user.suspended_at) throw new AppError('sign_in_over');
      if (!passkey && !(await isAnswerRight(context, tx, userId, answer, from))) return undefined;
      await queries.deleteChallenge(tx, tokenHash);
      return startSession(tx, user, from, clock.now());
    });
  const session = await (passkey ? finish() : limitFailures(db, codeLimits(userId), finish));
  if (!session) throw wrongCodeError(code === undefined ? 'recoveryCode' : 'code');
  return session;
}

/** Checks the second step if the user has an authenticator. Throws `invalid_input`, `too_many_requests`. */
export async function requireSecondStep(context: SignInContext, userId: string, answer: Answer, by: ChangedBy): Promise<void> {
  const { db } = context;
  if (!(await queries.findAuthenticator(db, userId))) return;
  requireAnswer(answer);
  const right = await limitFailures(db, codeLimits(userId), () =>
    db.transaction().execute(async (tx) => (await isAnswerRight(context, tx, userId, answer, by)) || undefined),
  );
  if (!right) throw wrongCodeError(answer.code === undefined ? 'recoveryCode' : 'code');
}

function requireAnswer({ code, recoveryCode }: Answer): void {
  if (code === undefined && recoveryCode === undefined) throw invalidField('code', 'Enter the code from your app');
}

async function isAnswerRight(
  context: SignInContext,
  tx: Tx,
  userId: string,
  { code, recoveryCode }: Answer,
  by: ChangedBy,
): Promise<boolean> {
  if (code !== undefined) {
    const authenticator = await queries.findAuthenticator(tx, userId);
    const step = authenticator && verifyAppCode(openSecret(context, authenticator), code, context.clock.now());
    return step !== undefined && queries.consumeStep(tx, userId, step);
  }
  if (!(await queries.consumeRecoveryCode(tx, userId, hashToken(recoveryCode ?? '')))) return false;
  await notifyOfChange(context, tx, userId, 'recoveryCodeUsed', by);
  return true;
}

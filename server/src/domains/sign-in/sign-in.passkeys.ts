import type { NewPasskeyAnswer, OnePasskey, PasskeyAnswer } from '@handwise/contract/sign-in/passkeys';
import { site as thisSite } from '@handwise/contract/site/site';
import type { Caller } from '../../kit/caller.ts';
import type { Context } from '../../kit/context.ts';
import { type Reader, getViolatedConstraint } from '../../kit/database/database.ts';
import { AppError } from '../../kit/errors.ts';
import type { RelyingParty } from '../../kit/hosts.ts';
import { countAttempt } from '../../kit/identity/attempts.ts';
import { hashToken } from '../../kit/secrets/tokens.ts';
import {
  type ChangedBy,
  findContact,
  findUser,
  lockUserRow,
  requireConfirmed,
  type Session,
  startSession,
} from '../accounts/accounts.service.ts';
import { notifyOfChange } from './sign-in.authenticator.ts';
import { requireCredential } from './sign-in.identities.ts';
import * as queries from './sign-in.queries.ts';

const challengeMs = 5 * 60 * 1000;
const maxPasskeys = 20;
/** Per network. High because pages request options when they open. */
const limit = { max: 600, windowSeconds: 60 * 60 };

type Challenge = { purpose: queries.ChallengePurpose; userId: string | null };

// Imported on first use: it takes 15 MB of memory.
const webauthn = () => import('@simplewebauthn/server');

/** Stores the challenge that a browser is to sign. The answer contains it, so it needs no id. */
async function storeChallenge({ db, clock }: Context, { purpose, userId }: Challenge, options: { challenge: string }) {
  const { challenge } = options;
  const expires = new Date(clock.now().getTime() + challengeMs);
  await queries.insertChallenge(db, { token_hash: hashToken(challenge), purpose, user_id: userId, expires_at: expires });
  return { options: { ...options, challenge } };
}

/** Uses up the challenge that an answer contains. Throws `passkey_refused` unless it is pending for this purpose and user. */
async function consumeAnsweredChallenge({ db, clock }: Context, { purpose, userId }: Challenge, clientDataJSON: string): Promise<string> {
  const challenge = await readChallenge(clientDataJSON);
  const isPending = challenge !== undefined && (await queries.consumeChallenge(db, hashToken(challenge), purpose, userId, clock.now()));
  if (!isPending) throw new AppError('passkey_refused');
  return challenge;
}

async function readChallenge(clientDataJSON: string): Promise<string | undefined> {
  try {
    const { decodeClientDataJSON } = await import('@simplewebauthn/server/helpers');
    const { challenge } = decodeClientDataJSON(clientDataJSON) as { challenge?: unknown };
    return typeof challenge === 'string' ? challenge : undefined;
  } catch {
    return undefined;
  }
}

const toPasskey = (one: { id: string; name: string; created_at: Date; last_used_at: Date | null }): OnePasskey => ({
  _id: one.id,
  name: one.name,
  createdAt: one.created_at.toISOString(),
  lastUsedAt: one.last_used_at?.toISOString() ?? null,
});

export const listPasskeys = async (db: Reader, userId: string): Promise<OnePasskey[]> =>
  (await queries.listPasskeyRows(db, userId)).map(toPasskey);

/** The user's passkeys that work at this site. */
export const listPasskeysForSite = async (db: Reader, userId: string, site: RelyingParty) =>
  (await queries.listPasskeyRows(db, userId)).filter((one) => one.rp_id === site.id);

/** Throws `address_not_confirmed`, `too_many_passkeys`. */
export async function newPasskeyOptions(context: Context, userId: string, site: RelyingParty) {
  const { db } = context;
  const user = await findContact(db, userId);
  requireConfirmed(user);
  const own = await queries.listPasskeyRows(db, userId);
  if (own.length >= maxPasskeys) throw new AppError('too_many_passkeys');
  const { generateRegistrationOptions } = await webauthn();
  const options = await generateRegistrationOptions({
    rpName: thisSite.name,
    rpID: site.id,
    userID: new TextEncoder().encode(userId),
    userName: user.email,
    userDisplayName: user.full_name,
    attestationType: 'none',
    excludeCredentials: own.filter((one) => one.rp_id === site.id).map((one) => ({ id: one.credential_id, transports: one.transports })),
    // Discoverable without a user name, and only after the device is unlocked.
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
  return storeChallenge(context, { purpose: 'new-passkey', userId }, options);
}

/** Throws `address_not_confirmed`, `passkey_refused`, `passkey_exists`, `too_many_passkeys`. */
export async function addPasskey(context: Context, userId: string, answer: NewPasskeyAnswer, site: RelyingParty, by: ChangedBy) {
  const { db } = context;
  const before = await findUser(db, userId);
  const { verifyRegistrationResponse } = await webauthn();
  const { registrationInfo } = await verifyRegistrationResponse({
    response: { ...answer, response: { ...answer.response, transports: answer.response.transports ?? [] } },
    expectedChallenge: await consumeAnsweredChallenge(context, { purpose: 'new-passkey', userId }, answer.response.clientDataJSON),
    expectedOrigin: site.origin,
    expectedRPID: site.id,
    requireUserVerification: true,
  }).catch(throwRefused);
  if (!registrationInfo) throw new AppError('passkey_refused');
  const { id, publicKey, counter } = registrationInfo.credential;
  const transports = answer.response.transports ?? [];
  try {
    return await db.transaction().execute(async (tx) => {
      const user = await lockUserRow(tx, userId);
      requireConfirmed(user);
      // A password change ends the challenge, also one that was answered a moment before.
      if (user.password_hash !== before?.password_hash) throw new AppError('passkey_refused');
      if ((await queries.listPasskeyRows(tx, userId)).length >= maxPasskeys) throw new AppError('too_many_passkeys');
      const passkey = await queries.insertPasskey(tx, {
        user_id: userId,
        credential_id: id,
        public_key: Buffer.from(publicKey),
        counter: String(counter),
        transports,
        rp_id: site.id,
        name: by.browser,
        created_at: context.clock.now(),
      });
      await notifyOfChange(context, tx, userId, 'passkeyAdded', by);
      return toPasskey(passkey);
    });
  } catch (error) {
    throw getViolatedConstraint(error) === 'passkeys_credential_id_key' ? new AppError('passkey_exists') : error;
  }
}

/** Throws `passkey_not_found`. */
export async function renamePasskey({ db }: Context, userId: string, id: string, name: string): Promise<void> {
  if (!(await queries.setPasskeyName(db, userId, id, name))) throw new AppError('passkey_not_found');
}

/** Throws `passkey_not_found`, `last_credential`. */
export const removePasskey = (context: Context, userId: string, id: string, by: ChangedBy): Promise<void> =>
  context.db.transaction().execute(async (tx) => {
    const user = await lockUserRow(tx, userId);
    if (!(await queries.deletePasskey(tx, userId, id))) throw new AppError('passkey_not_found');
    await requireCredential(tx, user);
    await notifyOfChange(context, tx, userId, 'passkeyRemoved', by);
  });

/** For a sign-in without a user name: the browser offers its passkeys for this site. */
export async function passkeySignInOptions(context: Context, site: RelyingParty, network: string) {
  await countAttempt(context.db, `passkey-from:${network}`, limit);
  const { generateAuthenticationOptions } = await webauthn();
  const options = await generateAuthenticationOptions({ rpID: site.id, userVerification: 'required' });
  return storeChallenge(context, { purpose: 'passkey-sign-in', userId: null }, options);
}

/** For a known user. Throws `passkey_not_found` if they have no passkey for this site. */
export async function createPasskeyOptions(
  context: Context,
  purpose: 'passkey-second-step' | 'passkey-confirm',
  userId: string,
  site: RelyingParty,
) {
  const own = await listPasskeysForSite(context.db, userId, site);
  if (own.length === 0) throw new AppError('passkey_not_found');
  const { generateAuthenticationOptions } = await webauthn();
  const options = await generateAuthenticationOptions({
    rpID: site.id,
    userVerification: 'required',
    allowCredentials: own.map((one) => ({ id: one.credential_id, transports: one.transports })),
  });
  return storeChallenge(context, { purpose, userId }, options);
}

/** Verifies an answer to a challenge and returns the passkey's user. Throws `passkey_refused`. */
export async function verifyPasskey(context: Context, answer: PasskeyAnswer, challenge: Challenge, site: RelyingParty): Promise<string> {
  const { db, clock } = context;
  const passkey = await queries.findPasskeyByCredential(db, answer.id, site.id);
  if (!passkey || (challenge.userId !== null && passkey.user_id !== challenge.userId)) throw new AppError('passkey_refused');
  const { userHandle, ...response } = answer.response;
  const { verifyAuthenticationResponse } = await webauthn();
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response: { ...answer, response: { ...response, ...(userHandle !== undefined && { userHandle }) } },
    expectedChallenge: await consumeAnsweredChallenge(context, challenge, answer.response.clientDataJSON),
    expectedOrigin: site.origin,
    expectedRPID: site.id,
    requireUserVerification: true,
    credential: {
      id: passkey.credential_id,
      publicKey: new Uint8Array(passkey.public_key),
      counter: Number(passkey.counter),
      transports: passkey.transports,
    },
  }).catch(throwRefused);
  if (!verified) throw new AppError('passkey_refused');
  await queries.setPasskeyUsed(db, passkey.id, authenticationInfo.newCounter, clock.now());
  return passkey.user_id;
}

/** Starts a session for the owner of a passkey. Throws `passkey_refused`. */
export async function signInByPasskey(context: Context, answer: PasskeyAnswer, site: RelyingParty, from: Caller): Promise<Session> {
  const { db, clock } = context;
  await countAttempt(db, `passkey-from:${from.network}`, limit);
  const userId = await verifyPasskey(context, answer, { purpose: 'passkey-sign-in', userId: null }, site);
  return db.transaction().execute(async (tx) => {
    // A reset may have removed the passkey since it was checked.
    const user = await lockUserRow(tx, userId);
    const passkey = await queries.findPasskeyByCredential(tx, answer.id, site.id);
    if (passkey?.user_id !== userId || user.suspended_at) throw new AppError('passkey_refused');
    return startSession(tx, user, from, clock.now());
  });
}

// The library's many errors all become one for the caller.
function throwRefused(): never {
  throw new AppError('passkey_refused');
}

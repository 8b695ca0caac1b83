import type { NewPasskeyAnswer, OnePasskey, PasskeyAnswer } from '@handwise/contract/sign-in/passkeys';
import { siteName } from '@handwise/contract/site/name';
import { countAttempt } from '../../kit/identity/attempts.ts';
import type { From } from '../../kit/caller.ts';
import type { Context } from '../../kit/context.ts';
import { type Reader, violatedConstraint } from '../../kit/database/database.ts';
import { AppError } from '../../kit/errors.ts';
import type { RelyingParty } from '../../kit/identity/relying-party.ts';
import { hashOf } from '../../kit/identity/tokens.ts';
import {
  type ChangedBy,
  findContact,
  findUser,
  lockUser,
  requireConfirmed,
  type Session,
  startSession,
} from '../accounts/accounts.service.ts';
import { tellOfChange } from './sign-in.authenticator.ts';
import * as passkeys from './sign-in.passkey-queries.ts';
import { type ChallengePurpose, insertChallenge, takeChallenge } from './sign-in.queries.ts';

const lifeMs = 5 * 60 * 1000;
const mostPasskeys = 20;
/** For each network: pages ask as they open. */
const limit = { max: 600, windowSeconds: 60 * 60 };

type Asked = { purpose: ChallengePurpose; userId: string | null };

// It takes 15 MB, which a server that nobody asks for a passkey need not spend.
const webauthn = () => import('@simplewebauthn/server');

/** Keeps what a browser is asked to sign. Its answer names it, so that nothing else must. */
async function ask({ db, clock }: Context, { purpose, userId }: Asked, options: { challenge: string }) {
  const { challenge } = options;
  const expires = new Date(clock.now().getTime() + lifeMs);
  await insertChallenge(db, { token_hash: hashOf(challenge), purpose, user_id: userId, expires_at: expires });
  return { options: { ...options, challenge } };
}

/** What an answer is an answer to, where it was asked of them and not answered yet: it is by that. Throws `passkey_refused`. */
async function challengeOf({ db, clock }: Context, { purpose, userId }: Asked, clientDataJSON: string): Promise<string> {
  const challenge = await challengeIn(clientDataJSON);
  const wasAsked = challenge !== undefined && (await takeChallenge(db, hashOf(challenge), purpose, userId, clock.now()));
  if (!wasAsked) throw new AppError('passkey_refused');
  return challenge;
}

async function challengeIn(clientDataJSON: string): Promise<string | undefined> {
  try {
    const { decodeClientDataJSON } = await import('@simplewebauthn/server/helpers');
    const { challenge } = decodeClientDataJSON(clientDataJSON) as { challenge?: unknown };
    return typeof challenge === 'string' ? challenge : undefined;
  } catch {
    return undefined;
  }
}

const shown = (one: { id: string; name: string; created_at: Date; last_used_at: Date | null }): OnePasskey => ({
  _id: one.id,
  name: one.name,
  createdAt: one.created_at.toISOString(),
  lastUsedAt: one.last_used_at?.toISOString() ?? null,
});

export const listPasskeys = async (db: Reader, userId: string): Promise<OnePasskey[]> => (await passkeys.findOfUser(db, userId)).map(shown);

/** Those of a user's passkeys that browsers show at this site. */
export const passkeysFor = async (db: Reader, userId: string, site: RelyingParty) =>
  (await passkeys.findOfUser(db, userId)).filter((one) => one.rp_id === site.id);

/** Throws `address_not_confirmed`, `too_many_passkeys`. */
export async function newPasskeyOptions(context: Context, userId: string, site: RelyingParty) {
  const { db } = context;
  const user = await findContact(db, userId);
  requireConfirmed(user);
  const own = await passkeys.findOfUser(db, userId);
  if (own.length >= mostPasskeys) throw new AppError('too_many_passkeys');
  const { generateRegistrationOptions } = await webauthn();
  const options = await generateRegistrationOptions({
    rpName: siteName,
    rpID: site.id,
    userID: new TextEncoder().encode(userId),
    userName: user.email,
    userDisplayName: user.full_name,
    attestationType: 'none',
    excludeCredentials: own.filter((one) => one.rp_id === site.id).map((one) => ({ id: one.credential_id, transports: one.transports })),
    // To be found without a name typed, and only by whoever unlocks the device.
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
  return ask(context, { purpose: 'new-passkey', userId }, options);
}

/** Throws `address_not_confirmed`, `passkey_refused`, `passkey_exists`, `too_many_passkeys`. */
export async function addPasskey(context: Context, userId: string, answer: NewPasskeyAnswer, site: RelyingParty, by: ChangedBy) {
  const { db } = context;
  const { verifyRegistrationResponse } = await webauthn();
  const { registrationInfo } = await verifyRegistrationResponse({
    response: { ...answer, response: { ...answer.response, transports: answer.response.transports ?? [] } },
    expectedChallenge: await challengeOf(context, { purpose: 'new-passkey', userId }, answer.response.clientDataJSON),
    expectedOrigin: site.origin,
    expectedRPID: site.id,
    requireUserVerification: true,
  }).catch(refused);
  if (!registrationInfo) throw new AppError('passkey_refused');
  const { id, publicKey, counter } = registrationInfo.credential;
  const transports = answer.response.transports ?? [];
  try {
    return await db.transaction().execute(async (tx) => {
      requireConfirmed(await lockUser(tx, userId));
      if ((await passkeys.findOfUser(tx, userId)).length >= mostPasskeys) throw new AppError('too_many_passkeys');
      const passkey = await passkeys.insert(tx, {
        user_id: userId,
        credential_id: id,
        public_key: Buffer.from(publicKey),
        counter: String(counter),
        transports,
        rp_id: site.id,
        name: by.browser,
        created_at: context.clock.now(),
      });
      await tellOfChange(context, tx, userId, 'passkeyAdded', by);
      return shown(passkey);
    });
  } catch (error) {
    throw violatedConstraint(error) === 'passkeys_credential_id_key' ? new AppError('passkey_exists') : error;
  }
}

/** Throws `passkey_not_found`. */
export async function renamePasskey({ db }: Context, userId: string, id: string, name: string): Promise<void> {
  if (!(await passkeys.rename(db, userId, id, name))) throw new AppError('passkey_not_found');
}

/** Throws `passkey_not_found`. */
export const removePasskey = (context: Context, userId: string, id: string, by: ChangedBy): Promise<void> =>
  context.db.transaction().execute(async (tx) => {
    if (!(await passkeys.remove(tx, userId, id))) throw new AppError('passkey_not_found');
    await tellOfChange(context, tx, userId, 'passkeyRemoved', by);
  });

/** For a sign-in without a name: the browser offers what it has for this site. */
export async function passkeySignInOptions(context: Context, site: RelyingParty, network: string) {
  await countAttempt(context.db, `passkey-from:${network}`, limit);
  const { generateAuthenticationOptions } = await webauthn();
  const options = await generateAuthenticationOptions({ rpID: site.id, userVerification: 'required' });
  return ask(context, { purpose: 'passkey-sign-in', userId: null }, options);
}

/** For a user who is known already. Throws `passkey_not_found` where they have none for this site. */
export async function passkeyOptionsOf(
  context: Context,
  purpose: 'passkey-second-step' | 'passkey-confirm',
  userId: string,
  site: RelyingParty,
) {
  const own = await passkeysFor(context.db, userId, site);
  if (own.length === 0) throw new AppError('passkey_not_found');
  const { generateAuthenticationOptions } = await webauthn();
  const options = await generateAuthenticationOptions({
    rpID: site.id,
    userVerification: 'required',
    allowCredentials: own.map((one) => ({ id: one.credential_id, transports: one.transports })),
  });
  return ask(context, { purpose, userId }, options);
}

/** Whose passkey has answered what was asked. Throws `passkey_refused`. */
export async function userOfPasskey(context: Context, answer: PasskeyAnswer, asked: Asked, site: RelyingParty): Promise<string> {
  const { db, clock } = context;
  const passkey = await passkeys.findByCredential(db, answer.id, site.id);
  if (!passkey || (asked.userId !== null && passkey.user_id !== asked.userId)) throw new AppError('passkey_refused');
  const { userHandle, ...response } = answer.response;
  const { verifyAuthenticationResponse } = await webauthn();
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response: { ...answer, response: { ...response, ...(userHandle !== undefined && { userHandle }) } },
    expectedChallenge: await challengeOf(context, asked, answer.response.clientDataJSON),
    expectedOrigin: site.origin,
    expectedRPID: site.id,
    requireUserVerification: true,
    credential: {
      id: passkey.credential_id,
      publicKey: new Uint8Array(passkey.public_key),
      counter: Number(passkey.counter),
      transports: passkey.transports,
    },
  }).catch(refused);
  if (!verified) throw new AppError('passkey_refused');
  await passkeys.use(db, passkey.id, authenticationInfo.newCounter, clock.now());
  return passkey.user_id;
}

/** Starts a session: the device has proved that it is there and that its owner unlocked it. Throws `passkey_refused`. */
export async function signInByPasskey(context: Context, answer: PasskeyAnswer, site: RelyingParty, from: From): Promise<Session> {
  const { db, clock } = context;
  await countAttempt(db, `passkey-from:${from.network}`, limit);
  const userId = await userOfPasskey(context, answer, { purpose: 'passkey-sign-in', userId: null }, site);
  return db.transaction().execute(async (tx) => {
    const user = await findUser(tx, userId);
    if (!user || user.suspended_at) throw new AppError('passkey_refused');
    return startSession(tx, user, from, clock.now());
  });
}

// The library says in many ways what is wrong with an answer; whoever sent it learns that it is refused.
function refused(): never {
  throw new AppError('passkey_refused');
}

import { registerForm } from '@handwise/contract/accounts/calls';
import { type ProviderName, providerNames } from '@handwise/contract/accounts/provider-names';
import { paths } from '@handwise/contract/paths';
import type { Caller } from '../../kit/caller.ts';
import { getViolatedConstraint } from '../../kit/database/database.ts';
import { AppError } from '../../kit/errors.ts';
import type { RelyingParty } from '../../kit/hosts.ts';
import { countAttempt } from '../../kit/identity/attempts.ts';
import type { Viewer } from '../../kit/identity/session-guard.ts';
import type { ProvidedIdentity, ProviderAnswer } from '../../kit/integrations/identity-providers.ts';
import { sendMail } from '../../kit/mail/mail.ts';
import { createToken, hashToken } from '../../kit/secrets/tokens.ts';
import {
  type ChangedBy,
  confirmIdentity,
  findContact,
  findUserByEmail,
  limitRegistrations,
  lockUserRow,
  type AccountHooks,
  registerVerified,
  requireConfirmed,
  startSession,
} from '../accounts/accounts.service.ts';
import type { SignInContext } from './sign-in.context.ts';
import { connectEmail } from './sign-in.emails.ts';
import * as identities from './sign-in.identities.queries.ts';
import { connectIdentity } from './sign-in.identities.ts';
import { requireSecondStep, startSignIn } from './sign-in.second-step.ts';

const minute = 60 * 1000;
const authorizationMs = 10 * minute;
const nameMs = 30 * minute;
const linkMs = 60 * minute;

/** Per network, starts and ends together. */
const limit = { max: 600, windowSeconds: 60 * 60 };

const getProvider = ({ identityProviders }: SignInContext, name: ProviderName) => {
  const provider = identityProviders.get(name);
  if (!provider) throw new AppError('provider_not_found');
  return provider;
};

const getRedirectUri = ({ origin }: RelyingParty, provider: ProviderName) => `${origin}/api/auth/with/${provider}/callback`;

const suspendedError = () =>
  new AppError('provider_refused', { message: 'This account is suspended. Our email about it says why, and how to object.' });

/** A path that a browser may return to, without control characters. The page, which knows its routes, checks it more strictly. */
const longestPath = 2000;
const toReturnPath = (path: string | undefined) =>
  path !== undefined && path.length <= longestPath && /^\/(?![/\\])\P{Cc}*$/u.test(path) ? path : paths.browse;

export type Visitor = {
  provider: ProviderName;
  redirect: string | undefined;
  referralCode?: string | null;
  browser: string;
  site: RelyingParty;
  network: string;
};

/** Returns the address to send the browser to. Throws `provider_not_found`, `provider_unavailable`, `too_many_requests`. */
async function startAuthorization(
  context: SignInContext,
  purpose: identities.AuthorizationPurpose,
  { provider: name, redirect, referralCode, browser, site, network }: Visitor,
  viewer: Viewer | null,
): Promise<string> {
  const { db, clock } = context;
  await countAttempt(db, `provider-from:${network}`, limit);
  const { url, state, nonce, codeVerifier } = await getProvider(context, name).begin(getRedirectUri(site, name));
  await identities.insertAuthorization(db, {
    state_hash: hashToken(state),
    browser_hash: hashToken(browser),
    provider: name,
    purpose,
    nonce,
    code_verifier: codeVerifier,
    return_to: toReturnPath(redirect),
    referral_code: referralCode || null,
    user_id: viewer?.id ?? null,
    session_id: viewer?.sessionId ?? null,
    expires_at: new Date(clock.now().getTime() + authorizationMs),
  });
  return url;
}

export const startProviderSignIn = (context: SignInContext, visitor: Visitor) => startAuthorization(context, 'sign-in', visitor, null);

/** Throws `address_not_confirmed`, `identity_exists` besides the errors of any start. */
export async function startConnecting(context: SignInContext, visitor: Visitor, viewer: Viewer): Promise<string> {
  requireConfirmed(await findContact(context.db, viewer.id));
  const own = await identities.listIdentityRows(context.db, viewer.id);
  if (own.some(({ provider }) => provider === visitor.provider)) throw new AppError('identity_exists');
  return startAuthorization(context, 'connect', visitor, viewer);
}

/** Checks the second step first, if there is one. Throws `identity_not_found`, `invalid_input` besides the errors of any start. */
export async function startConfirming(
  context: SignInContext,
  visitor: Visitor,
  viewer: Viewer,
  code: { code?: string | undefined; recoveryCode?: string | undefined },
  by: ChangedBy,
): Promise<string> {
  const own = await identities.listIdentityRows(context.db, viewer.id);
  if (!own.some(({ provider }) => provider === visitor.provider)) throw new AppError('identity_not_found');
  await requireSecondStep(context, viewer.id, code, by);
  return startAuthorization(context, 'confirm', visitor, viewer);
}

/** Where a browser that comes back wanted to go. */
export const findReturnPath = ({ db }: SignInContext, state: string) => identities.findReturnPath(db, hashToken(state));

type Returned = ProviderAnswer & { provider: ProviderName; name?: string | undefined };
type Arrival = {
  browser: string | undefined;
  site: RelyingParty;
  viewer: Viewer | null;
  from: Caller & ChangedBy;
  onRegistered: AccountHooks['onRegistered'];
};

/**
 * Finishes what a browser has begun at a provider. The state works once, in that browser. Throws `sign_in_over`, `provider_refused`,
 * `provider_unavailable`, `provider_address_not_verified`, `identity_taken`, `identity_exists`, `email_taken`, `too_many_requests`.
 */
export async function finishAtProvider(context: SignInContext, answer: Returned, arrival: Arrival) {
  const { db, clock } = context;
  const { browser, site, viewer, from } = arrival;
  await countAttempt(db, `provider-from:${from.network}`, limit);
  const provider = getProvider(context, answer.provider);
  if (browser === undefined) throw new AppError('sign_in_over');
  const authorization = await identities.consumeAuthorization(
    db,
    hashToken(answer.state),
    hashToken(browser),
    answer.provider,
    clock.now(),
  );
  if (!authorization || (authorization.session_id !== null && authorization.session_id !== viewer?.sessionId))
    throw new AppError('sign_in_over');
  const checks = { state: answer.state, nonce: authorization.nonce, codeVerifier: authorization.code_verifier };
  const identity = await provider.finish(getRedirectUri(site, answer.provider), answer, checks);
  if (authorization.purpose === 'sign-in')
    return signIn(context, { ...answer, referralCode: authorization.referral_code }, identity, arrival);
  if (!viewer) throw new AppError('sign_in_over');
  if (authorization.purpose === 'connect') await connect(context, answer.provider, identity, viewer, from);
  else await confirm(context, answer.provider, identity, viewer);
  return { finished: authorization.purpose };
}

const connect = (context: SignInContext, provider: ProviderName, { subject, email }: ProvidedIdentity, viewer: Viewer, by: ChangedBy) =>
  context.db.transaction().execute(async (tx) => {
    requireConfirmed(await lockUserRow(tx, viewer.id));
    await connectIdentity(context, tx, { userId: viewer.id, provider, subject, email }, by);
  });

async function confirm({ db, clock }: SignInContext, provider: ProviderName, { subject }: ProvidedIdentity, viewer: Viewer): Promise<void> {
  const holder = await identities.findIdentity(db, provider, subject);
  if (holder?.user_id !== viewer.id) {
    throw new AppError('provider_refused', {
      message: `This is not the ${providerNames[provider]} account that you connected. Nothing was changed.`,
    });
  }
  await confirmIdentity(db, viewer.sessionId, clock.now());
}

/** Signs in to the account that the person is connected to. An address alone never leads into an account. */
async function signIn(
  context: SignInContext,
  answer: Returned & { referralCode: string | null },
  identity: ProvidedIdentity,
  arrival: Arrival,
) {
  const { db, clock } = context;
  const { site, from } = arrival;
  const { provider, referralCode } = answer;
  const { subject, email } = identity;
  const known = await identities.findIdentity(db, provider, subject);
  if (known) {
    return db.transaction().execute(async (tx) => {
      const user = await lockUserRow(tx, known.user_id);
      // It may have been disconnected meanwhile.
      if ((await identities.findIdentity(tx, provider, subject))?.user_id !== user.id) throw new AppError('sign_in_over');
      if (user.suspended_at) throw suspendedError();
      await identities.setIdentityUsed(tx, user.id, provider, email, clock.now());
      const result = await startSignIn(context, tx, user, site, from);
      return 'secondStep' in result ? result : { ...result, isNew: false, isReferred: false };
    });
  }
  const address = registerForm.shape.email.safeParse(email);
  if (!identity.isEmailVerified || !address.success) throw new AppError('provider_address_not_verified');
  const owner = await findUserByEmail(db, address.data);
  if (owner?.suspended_at) throw suspendedError();
  if (owner && (await identities.listIdentityRows(db, owner.id)).some((one) => one.provider === provider)) {
    const name = providerNames[provider];
    throw new AppError('identity_exists', {
      message: `Another ${name} account is connected to yours here. Sign in with that one, or as before.`,
    });
  }
  if (owner) return offerToConnect(context, provider, { subject, email: address.data }, owner);
  const name = registerForm.shape.fullName.safeParse(identity.name || answer.name);
  if (!name.success) {
    const token = createToken();
    const expires = new Date(clock.now().getTime() + nameMs);
    const claim = { provider, subject, email: address.data, referral_code: referralCode };
    await identities.insertWaitingIdentity(db, { ...claim, token_hash: hashToken(token), user_id: null, expires_at: expires });
    return { nameNeeded: { token, email: address.data } };
  }
  await limitRegistrations(context, from.network);
  const form = { fullName: name.data, email: address.data, referralCode };
  return createAccount(context, { provider, subject, form }, arrival);
}

/** Emails a link to the owner of the account with this address, if it was ever confirmed: otherwise whoever registered it may not be its owner. */
async function offerToConnect(
  { db, jobs, clock, appUrl }: SignInContext,
  provider: ProviderName,
  { subject, email }: { subject: string; email: string },
  owner: { id: string; email: string; email_confirmed_at: Date | null },
) {
  const isLinkSent = owner.email_confirmed_at !== null;
  if (isLinkSent) {
    await db.transaction().execute(async (tx) => {
      const token = createToken();
      const expires = new Date(clock.now().getTime() + linkMs);
      await identities.insertWaitingIdentity(tx, {
        token_hash: hashToken(token),
        provider,
        subject,
        email,
        user_id: owner.id,
        expires_at: expires,
      });
      await jobs.send(tx, sendMail, connectEmail({ to: owner.email, appUrl }, provider, token));
    });
  }
  return { accountExists: { email: owner.email, isLinkSent } };
}

type NewAccount = { provider: ProviderName; subject: string; form: Parameters<typeof registerVerified>[2] };

async function createAccount(
  context: SignInContext,
  { provider, subject, form }: NewAccount,
  { from, onRegistered }: Pick<Arrival, 'from' | 'onRegistered'>,
  token?: string,
) {
  const { db, clock } = context;
  const now = clock.now();
  try {
    return await db.transaction().execute(async (tx) => {
      if (token !== undefined && !(await identities.consumeWaitingIdentity(tx, hashToken(token), now))) throw new AppError('sign_in_over');
      const { user, isReferred } = await registerVerified(context, tx, form, from, onRegistered);
      const identity = { user_id: user.id, provider, subject, email: form.email, created_at: now, last_used_at: now };
      // Two sign-ins of one person at once: the other has just created the account.
      if (!(await identities.insertIdentity(tx, identity))) throw new AppError('sign_in_over');
      return { ...(await startSession(tx, user, from, now)), isNew: true, isReferred };
    });
  } catch (error) {
    throw getViolatedConstraint(error) === 'users_email_key' ? new AppError('email_taken') : error;
  }
}

/** Creates the account that lacked a name. Throws `sign_in_over`, `email_taken`, `too_many_requests`. */
export async function nameProviderAccount(
  context: SignInContext,
  { token, fullName }: { token: string; fullName: string },
  arrival: Pick<Arrival, 'from' | 'onRegistered'>,
) {
  const { db, clock } = context;
  await limitRegistrations(context, arrival.from.network);
  const waiting = await identities.findNamelessIdentity(db, hashToken(token), clock.now());
  if (!waiting) throw new AppError('sign_in_over');
  const { provider, subject, email, referral_code: referralCode } = waiting;
  return createAccount(context, { provider, subject, form: { fullName, email, referralCode } }, arrival, token);
}

/** Connects a provider by an emailed link. It signs nobody in. Throws `link_not_valid`, `identity_taken`, `identity_exists`. */
export const connectByLink = (context: SignInContext, token: string, by: ChangedBy): Promise<ProviderName> =>
  context.db.transaction().execute(async (tx) => {
    const now = context.clock.now();
    const userId = (await identities.findWaitingUser(tx, hashToken(token), now))?.user_id;
    if (!userId) throw new AppError('link_not_valid');
    // Locks the user's row first, as a password change does, which deletes this link.
    const user = await lockUserRow(tx, userId);
    const waiting = await identities.consumeWaitingIdentity(tx, hashToken(token), now);
    const isOwn = waiting?.email.toLowerCase() === user.email.toLowerCase() && user.email_confirmed_at !== null;
    if (!waiting || !isOwn || user.suspended_at) throw new AppError('link_not_valid');
    await connectIdentity(context, tx, { userId, ...waiting }, by);
    return waiting.provider;
  });

import type { DrawContext } from './domains/draws/draws.service.ts';
import type { EvidenceContext } from './domains/evidence/evidence.service.ts';
import type { MessageContext } from './domains/messages/messages.service.ts';
import type { SignInContext } from './domains/sign-in/sign-in.service.ts';
import type { Env } from './env.ts';
import { openAccountKeyring, openKeyring } from './kit/secrets/keyring.ts';
import { openLogKey } from './kit/secrets/log-key.ts';

/** What all domains together work with. Only what puts the process together sees it whole: a domain sees what its own context names. */
export type WholeContext = SignInContext & EvidenceContext & MessageContext & DrawContext;

/** The part of it that the environment says by itself. */
export const contextOf = (env: Env) => ({
  appUrl: env.appUrl,
  replyDomain: env.inboundMail?.domain ?? null,
  logKey: openLogKey(env),
  keyring: openKeyring(env),
  accountKeys: openAccountKeyring(env),
});

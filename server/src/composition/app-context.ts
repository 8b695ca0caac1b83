import type { DrawContext } from '../domains/draws/draws.service.ts';
import type { MessageContext } from '../domains/messages/messages.service.ts';
import type { PushContext } from '../domains/push/push.service.ts';
import type { RegisterContext } from '../domains/registers/registers.service.ts';
import type { SignInContext } from '../domains/sign-in/sign-in.service.ts';
import { type DocumentContext, findStoredSettings, type SettingsContext } from '../domains/site/site.service.ts';
import type { Env } from '../env.ts';
import type { Reader } from '../kit/database/database.ts';
import { openAccountKeyring, openKeyring, openLogSigner } from '../kit/secrets/keys.ts';

/** The dependencies of all domains. Each domain sees only what its own context type names. */
export type AppContext = SignInContext & RegisterContext & MessageContext & PushContext & DrawContext & DocumentContext & SettingsContext;

/** The part of the context that depends on the environment only. */
export const createEnvContext = (env: Env) => ({
  appUrl: env.appUrl,
  marketHosts: env.marketHosts,
  firstSettings: { settings: env.settings, isReal: env.isReal },
  findPromotion: (db: Reader) => findStoredSettings(db, env.settings),
  replyDomain: env.inboundMail?.domain ?? null,
  logKey: openLogSigner(env),
  keyring: openKeyring(env),
  accountKeys: openAccountKeyring(env),
});

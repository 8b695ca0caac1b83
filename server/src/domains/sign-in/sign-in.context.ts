import type { Context } from '../../kit/context.ts';
import type { Keyring } from '../../kit/secrets/keyring.ts';

/** What signing in works with besides what accounts do. */
export type SignInContext = Context & {
  /** Seals what accounts sign in with. */
  accountKeys: Keyring;
};

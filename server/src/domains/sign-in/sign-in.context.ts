import type { Keyring } from '../../kit/secrets/keyring.ts';
import type { AccountContext } from '../accounts/accounts.service.ts';

/** What signing in works with besides what accounts do. */
export type SignInContext = AccountContext & {
  /** Seals what accounts sign in with. */
  accountKeys: Keyring;
};

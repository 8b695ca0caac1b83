import type { Context } from '../../kit/context.ts';
import type { IdentityProviders } from '../../kit/integrations/identity-providers.ts';
import type { Keyring } from '../../kit/secrets/keys.ts';

export type SignInContext = Context & {
  /** Seals the secrets of authenticator apps. */
  accountKeys: Keyring;
  /** Google and Apple, if they are set up. */
  identityProviders: IdentityProviders;
};

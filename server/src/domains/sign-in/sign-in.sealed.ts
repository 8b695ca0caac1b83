import type { Sealed } from '../../kit/secrets/keyring.ts';
import type { SignInContext } from './sign-in.context.ts';
import * as queries from './sign-in.queries.ts';
import type { AuthenticatorRow } from './sign-in.queries.ts';

// Codes are computed from an app's secret, so it cannot be kept as a hash. It is sealed with a key that is not in the database.

type Keys = Pick<SignInContext, 'accountKeys'>;

/** As what it is sealed: another account's secret does not open. */
const sealedAs = (userId: string) => `authenticator of ${userId}`;

export const sealSecret = ({ accountKeys }: Keys, userId: string, secret: string): Sealed => accountKeys.seal(secret, sealedAs(userId));

/** What was written before there were keys is readable until it is sealed. */
export function secretOf({ accountKeys }: Keys, { user_id: userId, secret, key_id: keyId, sealed }: AuthenticatorRow): string {
  if (sealed === null || keyId === null) return secret ?? '';
  return accountKeys.open({ keyId, sealed }, sealedAs(userId));
}

/** Seals with the first key what is readable or sealed with another one: from then on that one can be taken away. */
export async function renewSeals(context: SignInContext): Promise<void> {
  const { db, accountKeys, logger } = context;
  for (const row of await queries.listSealedOtherwise(db, accountKeys.keyId)) {
    try {
      await queries.sealAnew(db, row, sealSecret(context, row.user_id, secretOf(context, row)));
    } catch (error) {
      logger.error(
        { err: error, userId: row.user_id },
        'the secret of an authenticator app cannot be opened: is its key still in ACCOUNT_KEYS?',
      );
    }
  }
}

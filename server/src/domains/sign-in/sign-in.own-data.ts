import type { Reader } from '../../kit/database/database.ts';
import type { OwnData } from '../../kit/own-data.ts';
import { listPasskeys } from './sign-in.passkeys.ts';
import { countRecoveryCodes, findAuthenticator } from './sign-in.queries.ts';

/** How somebody signs in beside their password. Secrets, keys and hashes are not theirs to read. */
export const ownDataOf = (db: Reader, userId: string): OwnData => ({
  lists: {
    passkeys: () => listPasskeys(db, userId),
    'second-step': async () => [
      {
        authenticator: (await findAuthenticator(db, userId)) !== undefined,
        recoveryCodesLeft: await countRecoveryCodes(db, userId),
      },
    ],
  },
  pictures: [],
});

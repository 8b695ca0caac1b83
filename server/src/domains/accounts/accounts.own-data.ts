import { maxExportsPerDay } from '@handwise/contract/accounts/data';
import type { Context } from '../../kit/context.ts';
import type { Reader } from '../../kit/database/database.ts';
import { fileKey } from '../../kit/files/file-store.ts';
import { countAttempt } from '../../kit/identity/attempts.ts';
import { createDataArchive, type OwnData } from '../../kit/own-data.ts';
import { listOwnAddresses } from './accounts.addresses.queries.ts';
import type { AccountHooks } from './accounts.context.ts';
import * as queries from './accounts.queries.ts';

/** A user's data in this domain, without the password hash and tokens. */
export async function getOwnAccountData(db: Reader, userId: string): Promise<OwnData> {
  const { avatar } = await queries.findOwnAccount(db, userId);
  const key = fileKey(avatar);
  return {
    lists: {
      account: async () => [await queries.findOwnAccount(db, userId)],
      sessions: () => queries.listOwnSessions(db, userId),
      addresses: () => listOwnAddresses(db, userId),
      devices: () => queries.listSignInDevices(db, userId),
    },
    files: key === undefined ? [] : [{ name: `pictures/account/${key.split('/').at(-1)}`, key }],
  };
}

/** Streams a zip of all data stored about a user. Throws `too_many_requests`. */
export async function exportData(
  { db, store, clock }: Context,
  userId: string,
  listOwnData: AccountHooks['listOwnData'],
): Promise<NodeJS.ReadableStream> {
  await countAttempt(db, `export-by:${userId}`, { max: maxExportsPerDay, windowSeconds: 24 * 60 * 60 });
  const now = clock.now();
  return createDataArchive(store, await listOwnData(db, userId, now), now);
}

import { exportsADay } from '@handwise/contract/accounts/data';
import { countAttempt } from '../../kit/identity/attempts.ts';
import type { Context } from '../../kit/context.ts';
import type { Reader } from '../../kit/database/database.ts';
import { fileKey } from '../../kit/files/files.ts';
import { archiveOf, type OwnData } from '../../kit/own-data.ts';
import { listOwnAddresses } from './accounts.addresses.queries.ts';
import * as queries from './accounts.queries.ts';

/** What accounts keep of somebody. Neither the password's hash nor a token is theirs to read. */
export async function ownDataOf(db: Reader, userId: string): Promise<OwnData> {
  const { avatar } = await queries.findOwnAccount(db, userId);
  const key = fileKey(avatar);
  return {
    lists: {
      account: async () => [await queries.findOwnAccount(db, userId)],
      sessions: () => queries.listOwnSessions(db, userId),
      addresses: () => listOwnAddresses(db, userId),
      devices: () => queries.listOwnDevices(db, userId),
    },
    pictures: key === undefined ? [] : [{ name: `pictures/account/${key.split('/').at(-1)}`, key }],
  };
}

/** All that the product keeps of somebody, domain by domain: what accounts cannot know. */
export type AllOwnData = (db: Reader, userId: string) => Promise<OwnData[]>;

/** A zip of all that is kept of somebody, made while it is read. Throws `too_many_requests`. */
export async function exportData({ db, store, clock }: Context, userId: string, allOwnData: AllOwnData): Promise<NodeJS.ReadableStream> {
  await countAttempt(db, `export-by:${userId}`, { max: exportsADay, windowSeconds: 24 * 60 * 60 });
  return archiveOf(store, await allOwnData(db, userId), clock.now());
}

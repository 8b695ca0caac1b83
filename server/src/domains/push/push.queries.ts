import type { Reader, Tx } from '../../kit/database/database.ts';
import { anyId } from '../../kit/database/sql-helpers.ts';

const columns = ['id', 'session_id', 'browser', 'shows_text', 'created_at', 'last_used_at'] as const;

export const findDevices = (db: Reader, userId: string) =>
  db
    .selectFrom('push_subscriptions')
    .select(columns)
    .where('user_id', '=', userId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
export type DeviceRow = Awaited<ReturnType<typeof findDevices>>[number];

export const findByEndpoint = (tx: Tx, endpoint: string) =>
  tx
    .selectFrom('push_subscriptions')
    .select(['id', 'user_id', 'p256dh', 'auth'])
    .where('endpoint', '=', endpoint)
    .forUpdate()
    .executeTakeFirst();

/** Ends the earlier subscription of the session, and any with this endpoint. Resolves to whether one of them showed text. */
export async function deleteReplaced(tx: Tx, userId: string, sessionId: string, endpoint: string): Promise<boolean> {
  const deleted = await tx
    .deleteFrom('push_subscriptions')
    .where((eb) => eb.or([eb('session_id', '=', sessionId), eb('endpoint', '=', endpoint)]))
    .returning(['user_id', 'shows_text'])
    .execute();
  return deleted.some((row) => row.user_id === userId && row.shows_text);
}

type NewDevice = Record<'user_id' | 'session_id' | 'endpoint' | 'p256dh' | 'auth' | 'browser', string> & {
  shows_text: boolean;
  created_at: Date;
};

export const insertDevice = (tx: Tx, device: NewDevice) =>
  tx.insertInto('push_subscriptions').values(device).returning(columns).executeTakeFirstOrThrow();

export const setShowsText = (db: Reader, userId: string, id: string, showsText: boolean) =>
  db
    .updateTable('push_subscriptions')
    .set({ shows_text: showsText })
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .returning(columns)
    .executeTakeFirst();

export const removeDevice = async (db: Reader, id: string, userId?: string): Promise<boolean> => {
  const deletion = db.deleteFrom('push_subscriptions').where('id', '=', id);
  return (await (userId === undefined ? deletion : deletion.where('user_id', '=', userId)).returning('id').execute()).length > 0;
};

export const listDeviceIds = async (db: Reader, userId: string): Promise<string[]> =>
  (await db.selectFrom('push_subscriptions').select('id').where('user_id', '=', userId).execute()).map(({ id }) => id);

export const listDevicesOfUsers = (db: Reader, userIds: readonly string[]) =>
  db.selectFrom('push_subscriptions').select(['id', 'user_id']).where('user_id', '=', anyId(userIds)).execute();

/** The next users with a device, in the order of their ids, without suspended and deleted ones. */
export const listUsersWithDevices = async (db: Reader, after: string | null, take: number): Promise<string[]> => {
  const users = db
    .selectFrom('push_subscriptions')
    .innerJoin('users', 'users.id', 'user_id')
    .distinct()
    .select('user_id')
    .where('suspended_at', 'is', null)
    .where('deleted_at', 'is', null)
    .$if(after !== null, (query) => query.where('user_id', '>', after));
  return (await users.orderBy('user_id').limit(take).execute()).map((row) => row.user_id);
};

/** A device whose session has not expired, whose user may sign in and whose endpoint does not rest. */
export const findReceiver = (db: Reader, id: string, now: Date) =>
  db
    .selectFrom('push_subscriptions')
    .innerJoin('sessions', 'sessions.id', 'push_subscriptions.session_id')
    .innerJoin('users', 'users.id', 'push_subscriptions.user_id')
    .select(['endpoint', 'p256dh', 'auth', 'shows_text', 'timeouts'])
    .where('push_subscriptions.id', '=', id)
    .where('sessions.expires_at', '>', now)
    .where((eb) => eb.or([eb('rests_until', 'is', null), eb('rests_until', '<=', now)]))
    .where('users.suspended_at', 'is', null)
    .where('users.deleted_at', 'is', null)
    .executeTakeFirst();

export const setTimeouts = (db: Reader, id: string, row: { timeouts: number; rests_until: Date | null }) =>
  db.updateTable('push_subscriptions').set(row).where('id', '=', id).execute();

export const setLastUsed = (db: Reader, id: string, now: Date) =>
  db.updateTable('push_subscriptions').set({ last_used_at: now }).where('id', '=', id).execute();

export const listPushDevices = (db: Reader, userId: string) =>
  db
    .selectFrom('push_subscriptions')
    .select(['endpoint', 'browser', 'shows_text', 'created_at', 'last_used_at', 'rests_until'])
    .where('user_id', '=', userId)
    .execute();

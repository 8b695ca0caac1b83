import type { Context } from '../../kit/context.ts';
import { asActor } from '../../kit/actor.ts';
import { AppError } from '../../kit/errors.ts';
import { endLooksOf, findUser, findUserForAdmin, lookMs, startLook } from '../accounts/accounts.service.ts';
import { insertLook } from './admin.queries.ts';

/**
 * Begins a session in which an administrator sees the site as a user does, for half an hour. It may read only. The user finds it with its
 * reason among their sessions, and the log keeps it. Throws `user_not_found`, also for who is suspended or gone, and `own_matter`.
 */
export async function look(context: Context, adminId: string, userId: string, by: { reason: string; browser: string }) {
  const { db, clock } = context;
  if (adminId === userId) throw new AppError('own_matter');
  return db.transaction().execute(async (tx) => {
    await asActor(tx, adminId);
    const user = await findUser(tx, userId);
    if (!user || user.suspended_at || (await findUserForAdmin(tx, userId))?.deleted_at) throw new AppError('user_not_found');
    const now = clock.now();
    const endsAt = new Date(now.getTime() + lookMs);
    const look = { administrator_id: adminId, user_id: userId, reason: by.reason, begun_at: now, ends_at: endsAt };
    await insertLook(tx, look);
    const data = await startLook(tx, user, { id: adminId, ...by }, now);
    return { data, endsAt: endsAt.toISOString() };
  });
}

/** Ends every look of an administrator. */
export const endLooks = ({ db, clock }: Context, adminId: string): Promise<void> => endLooksOf(db, adminId, clock.now());

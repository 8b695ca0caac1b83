import type { Context } from '../../kit/context.ts';
import { setAuditActor } from '../../kit/database/sql-helpers.ts';
import { AppError } from '../../kit/errors.ts';
import { endLooksByAdmin, findUser, findUserForAdmin, lookMs, startLook } from '../accounts/accounts.service.ts';
import { insertLook } from './admin.queries.ts';

/**
 * Starts a read-only session of half an hour in which an administrator views the site as a user. The user sees it, with its reason, in
 * their sessions, and the audit log records it. Throws `user_not_found`, also for suspended and deleted users, and `own_matter`.
 */
export async function viewAsUser(context: Context, adminId: string, userId: string, by: { reason: string; browser: string }) {
  const { db, clock } = context;
  if (adminId === userId) throw new AppError('own_matter');
  return db.transaction().execute(async (tx) => {
    await setAuditActor(tx, adminId);
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

/** Ends all sessions in which an administrator views the site as a user. */
export const endLooks = ({ db, clock }: Context, adminId: string): Promise<void> => endLooksByAdmin(db, adminId, clock.now());

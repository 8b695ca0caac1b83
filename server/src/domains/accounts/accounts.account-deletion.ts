import { formerMember } from '@handwise/contract/accounts/public-name';
import type { Caller } from '../../kit/caller.ts';
import type { Context } from '../../kit/context.ts';
import { setAuditActor } from '../../kit/database/sql-helpers.ts';
import { AppError, invalidField } from '../../kit/errors.ts';
import { fileKey } from '../../kit/files/file-store.ts';
import { detachFiles } from '../../kit/files/stored-files.ts';
import { sendMail } from '../../kit/mail/mail.ts';
import { createToken } from '../../kit/secrets/tokens.ts';
import type { AccountHooks } from './accounts.context.ts';
import { accountDeletedEmail } from './accounts.emails.ts';
import { getUserByOwnPassword } from './accounts.passwords.ts';
import * as queries from './accounts.queries.ts';
import { hasPassword, noPassword } from './accounts.rules.ts';

/**
 * Deletes an account permanently. Its row stays, anonymized, because receipts, reviews and messages reference it. Throws
 * `invalid_input` for a wrong password, `last_administrator`, `payment_processing`, `too_many_requests`.
 */
export async function deleteAccount(
  context: Context,
  userId: string,
  currentPassword: string | undefined,
  from: Caller,
  onDeleted: AccountHooks['onAccountDeleted'],
): Promise<void> {
  const { db, jobs, clock } = context;
  const owner = await queries.findUser(db, userId);
  // Without a password, the proof of identity that the call requires is enough.
  if (owner && hasPassword(owner)) {
    if (currentPassword === undefined) throw invalidField('currentPassword', 'Current password is required');
    await getUserByOwnPassword(context, userId, currentPassword, from);
  }
  await onDeleted.before(userId);
  await db.transaction().execute(async (tx) => {
    // When two administrators delete their accounts at once, the second one is the last administrator.
    const { user, administrators } = await queries.lockUserAndAdministrators(tx, userId);
    if (administrators.length === 1 && administrators[0] === userId) throw new AppError('last_administrator');
    await setAuditActor(tx, userId);
    await onDeleted.within(tx, userId);
    const avatar = fileKey(user.avatar);
    if (avatar !== undefined) await detachFiles(tx, [avatar]);
    await queries.anonymizeUser(tx, userId, anonymizedUser(userId, clock.now()));
    await jobs.send(tx, sendMail, accountDeletedEmail({ to: user.email }));
  });
}

// Unique values that no one can use: `.invalid` has no mailboxes.
const anonymizedUser = (userId: string, deletedAt: Date) => ({
  full_name: formerMember,
  username: `former_${createToken().replaceAll('-', '_').slice(0, 12)}`,
  email: `${userId}@deleted.invalid`,
  password_hash: noPassword,
  role: 'user' as const,
  avatar: '',
  phone_number: '',
  address: '',
  about: '',
  email_confirmed_at: null,
  deleted_at: deletedAt,
});

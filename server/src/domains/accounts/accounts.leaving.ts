import { formerMember } from '@handwise/contract/accounts/public-name';
import { asActor } from '../../kit/actor.ts';
import type { From } from '../../kit/caller.ts';
import type { Context } from '../../kit/context.ts';
import type { Tx } from '../../kit/database/database.ts';
import { AppError } from '../../kit/errors.ts';
import { fileKey } from '../../kit/files/files.ts';
import { sendMail } from '../../kit/mail/mail.ts';
import { detachFiles } from '../../kit/files/stored-files.ts';
import { newToken } from '../../kit/identity/tokens.ts';
import { farewellMail } from './accounts.mails.ts';
import { findByOwnPassword } from './accounts.passwords.ts';
import * as queries from './accounts.queries.ts';

/** What happens to everything else of an account that is deleted: before it, where others must be asked, and in its transaction. */
export type OnAccountDeleted = {
  before: (userId: string) => Promise<void>;
  within: (tx: Tx, userId: string) => Promise<void>;
};

/**
 * Deletes an account for good. Its row stays without a person, because receipts, reviews and messages point at it. Throws
 * `invalid_input` for a wrong password, `last_administrator`, `payment_processing`, `too_many_requests`.
 */
export async function deleteAccount(
  context: Context,
  userId: string,
  currentPassword: string,
  from: From,
  onDeleted: OnAccountDeleted,
): Promise<void> {
  const { db, jobs, clock } = context;
  await findByOwnPassword(context, userId, currentPassword, from);
  await onDeleted.before(userId);
  await db.transaction().execute(async (tx) => {
    // Of two administrators who leave at once, the second one is the last.
    const { user, administrators } = await queries.lockWithAdministrators(tx, userId);
    if (administrators.length === 1 && administrators[0] === userId) throw new AppError('last_administrator');
    await asActor(tx, userId);
    await onDeleted.within(tx, userId);
    const avatar = fileKey(user.avatar);
    if (avatar !== undefined) await detachFiles(tx, [avatar]);
    await queries.forgetPerson(tx, userId, personless(userId, clock.now()));
    await jobs.send(tx, sendMail, farewellMail({ to: user.email }));
  });
}

// Unique, and nobody's: an address under `.invalid` has no mailbox, and no password has this hash.
const personless = (userId: string, deletedAt: Date) => ({
  full_name: formerMember,
  username: `former_${newToken().replaceAll('-', '_').slice(0, 12)}`,
  email: `${userId}@deleted.invalid`,
  password_hash: '!',
  role: 'user' as const,
  avatar: '',
  phone_number: '',
  address: '',
  about: '',
  email_confirmed_at: null,
  deleted_at: deletedAt,
});

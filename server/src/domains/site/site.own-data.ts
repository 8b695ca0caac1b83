import { formerMember } from '@handwise/contract/accounts/public-name';
import type { Reader, Tx } from '../../kit/database/database.ts';
import type { OwnData } from '../../kit/own-data.ts';
import { findContact } from '../accounts/accounts.service.ts';
import * as queries from './site.queries.ts';

// The contact form takes any address, also somebody else's: what was written under one that an account has confirmed is its owner's.

/** The address of an account by which others can be told from its owner. */
async function confirmedAddress(db: Reader, userId: string): Promise<string | undefined> {
  const { email, email_confirmed_at: confirmedAt } = await findContact(db, userId);
  return confirmedAt === null ? undefined : email;
}

/** What somebody wrote to us by the contact form. */
export const ownDataOf = (db: Reader, userId: string): OwnData => ({
  lists: {
    'messages-to-us': async () => {
      const email = await confirmedAddress(db, userId);
      return email === undefined ? [] : queries.listContactMessagesOf(db, email);
    },
  },
  pictures: [],
});

/** The words stay for as long as we keep them, without who wrote them. To be called while the account has its address. */
export async function forgetSender(tx: Tx, userId: string): Promise<void> {
  const email = await confirmedAddress(tx, userId);
  if (email === undefined) return;
  await queries.forgetContact(tx, email, { full_name: formerMember, email: `${userId}@deleted.invalid`, website: '' });
}

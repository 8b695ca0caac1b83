import type { Reader, Tx } from '../../kit/database.ts';

/** Whether anybody has the code, suspended accounts too: codes are given once. */
export const isCodeTaken = async (db: Reader, code: string) =>
  (await db.selectFrom('users').select('id').where('referral_code', '=', code).executeTakeFirst()) !== undefined;

/** Whether a new user can enter the code. */
export const isReferralCode = async (db: Reader, code: string) =>
  (await db
    .selectFrom('users')
    .select('id')
    .where('referral_code', '=', code)
    .where('suspended_at', 'is', null)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()) !== undefined;

/** The address of mail of whoever has the code. */
export const findEmailOfCode = async (db: Reader, code: string) =>
  (await db.selectFrom('users').select('email').where('referral_code', '=', code).executeTakeFirst())?.email;

/** The addresses of an account and of the one whose code it came with; undefined where it came without. */
export const findReferral = (db: Reader, userId: string) =>
  db
    .selectFrom('users')
    .innerJoin('users as referrers', 'referrers.referral_code', 'users.referred_by_code')
    .select(['users.email', 'referrers.email as referrer_email'])
    .where('users.id', '=', userId)
    .executeTakeFirst();

export const setCodes = (tx: Tx, userId: string, codes: { referral_code?: string; referred_by_code?: string | null }) =>
  tx.updateTable('users').set(codes).where('id', '=', userId).execute();

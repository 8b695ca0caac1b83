import type { Reader, Tx } from '../../kit/database.ts';

export const findEmailOfCode = async (db: Reader, code: string) =>
  (await db.selectFrom('users').select('email').where('referral_code', '=', code).executeTakeFirst())?.email;

export const setReferredBy = (tx: Tx, id: string, code: string) =>
  tx.updateTable('users').set({ referred_by_code: code }).where('id', '=', id).execute();

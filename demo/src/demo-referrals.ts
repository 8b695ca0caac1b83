import { createHash } from 'node:crypto';
import { referralHooks } from '@handwise/server/composition/hooks';
import { listReferralsOfUser, backfillReferrals, swapForFreeMonth } from '@handwise/server/domains/referrals/referrals.service';
import type { Env } from '@handwise/server/env';
import type { Db } from '@handwise/server/kit/database';
import { withDemoContext } from './demo-context.ts';

const code = 'REF-DEM-1001';
const deviceName = createHash('sha256').update('a browser of the demo').digest();

/**
 * Creates the demo buyer's referrals in each state through the product's services: the newest account shares the buyer's browser and is held, those
 * with a listing are converted, the tickets of one are swapped, and the reward of another waits for a card.
 */
export const fillDemoReferrals = (env: Env, databaseUrl: string): Promise<void> =>
  withDemoContext(env, databaseUrl, async (context) => {
    const { db } = context;
    const buyer = await db.selectFrom('users').select('id').where('referral_code', '=', code).executeTakeFirst();
    if (!buyer) return;
    await shareBrowser(db, buyer.id);
    await saveCards(db);
    if ((await backfillReferrals({ context, hooks: referralHooks })) === 0) return;
    const converted = (await listReferralsOfUser(db, buyer.id)).filter((one) => one.status === 'converted' && !one.awaits_card);
    const [first] = converted.toSorted((one, other) => (one.id < other.id ? -1 : 1));
    if (first) await swapForFreeMonth(context, buyer.id, first.id);
  });

/** A card for each referred account with a listing but the first. */
async function saveCards(db: Db): Promise<void> {
  const sellers = await db
    .selectFrom('users')
    .select(['id', 'full_name'])
    .where('referred_by_code', '=', code)
    .where((is) => is.exists(is.selectFrom('listings').select('listings.id').whereRef('seller_id', '=', 'users.id')))
    .orderBy('id')
    .execute();
  for (const { id, full_name } of sellers.slice(1)) {
    await db
      .insertInto('cards')
      .values({
        user_id: id,
        payment_method_id: `pm_demo_${id}`,
        full_name,
        brand: 'visa',
        last4: '4242',
        exp_month: 12,
        exp_year: new Date().getFullYear() + 3,
        fingerprint: `demo ${id}`,
      })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
}

/** Records one browser for the buyer and the newest account that used the code. */
async function shareBrowser(db: Db, buyerId: string): Promise<void> {
  const newest = await db
    .selectFrom('users')
    .select('id')
    .where('referred_by_code', '=', code)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
  for (const userId of newest ? [buyerId, newest.id] : []) {
    await db
      .insertInto('devices')
      .values({ token_hash: deviceName, user_id: userId, last_used_at: new Date() })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
}

import { type Plan, type PlanType, plans } from '@handwise/contract/plans';
import type { Reader, Tx } from '../../kit/database.ts';
import * as queries from './plans.queries.ts';

/** The plans with their ids, cheapest first. Prices and features stand in the contract; the table follows it. */
export async function listPlans(db: Reader): Promise<Plan[]> {
  const rows = await queries.listPlans(db);
  return rows.map((row) => {
    const planType = row.plan_type as PlanType;
    const { name, features, slots, photos, priceMinor, rank } = plans[planType];
    return {
      _id: row.id,
      planType,
      name,
      planPrice: priceMinor / 100,
      features: [...features],
      rank,
      slots,
      photos,
      mostPopular: planType === 'premium',
    };
  });
}

export async function syncPlans(tx: Tx): Promise<void> {
  for (const [planType, { rank, priceMinor, slots, photos }] of Object.entries(plans)) {
    await queries.upsertPlan(tx, { plan_type: planType, rank, price_minor: priceMinor, slots, photos });
  }
}

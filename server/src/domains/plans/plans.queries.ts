import type { Reader, Tx } from '../../kit/database.ts';

export const listPlans = (db: Reader) => db.selectFrom('plans').select(['id', 'plan_type']).orderBy('rank').execute();

type PlanRow = { plan_type: string; rank: number; price_minor: number; slots: number; photos: number };

export const upsertPlan = (tx: Tx, { plan_type, ...terms }: PlanRow) =>
  tx
    .insertInto('plans')
    .values({ plan_type, ...terms })
    .onConflict((conflict) => conflict.column('plan_type').doUpdateSet(terms))
    .execute();

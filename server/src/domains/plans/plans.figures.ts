import { dayMs } from '@handwise/contract/dates';
import type { Reader } from '../../kit/database/database.ts';

const week = 7 * dayMs;

/** The first id that a row made at this time can have. */
const firstIdOf = (time: number) => {
  const hex = time.toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
};

/** Payments that succeeded since then, by plan and country. One is begun at most a week before that: ids go by time, so the others are not looked at. */
export const countSold = (db: Reader, since: Date) =>
  db
    .selectFrom('payments')
    .innerJoin('plans', 'plans.id', 'payments.plan_id')
    .where('payments.id', '>=', firstIdOf(since.getTime() - week))
    .where('succeeded_at', '>=', since)
    .groupBy(['plan_type', 'country'])
    .select(['plan_type as plan', 'country'])
    .select(({ cast, fn }) => cast<number>(fn.countAll(), 'integer').as('payments'))
    .execute();

import { periodName } from '@handwise/contract/dates';
import { count } from '@handwise/contract/numbers';
import { type RemovalReason, removalNames } from '@handwise/contract/reviews/words';

type Month = { month: string; received: number; published: number; removed: Partial<Record<RemovalReason, number>> };
type Row = { name: string; received: string; published: string; removed: string; reasons: string[] };

const reasonNames = Object.entries(removalNames) as [RemovalReason, string][];

function row(name: string, { received, published, removed }: Omit<Month, 'month'>): Row {
  return {
    name,
    received: count(received),
    published: count(published),
    removed: count(received - published),
    reasons: reasonNames.flatMap(([reason, words]) => (removed[reason] ? [`${count(removed[reason])} ${words}`] : [])),
  };
}

/** The ledger as its table has it: a row for each month, and one for all of them. */
export function toLedgerView(months: readonly Month[]) {
  const sum = (of: (month: Month) => number) => months.reduce((total, month) => total + of(month), 0);
  const removed = Object.fromEntries(reasonNames.map(([reason]) => [reason, sum((month) => month.removed[reason] ?? 0)]));
  return {
    months: months.map((month) => ({
      ...row(periodName(month.month), month),
      month: month.month,
    })),
    all: row('All months', { received: sum((month) => month.received), published: sum((month) => month.published), removed }),
  };
}
export type LedgerView = ReturnType<typeof toLedgerView>;

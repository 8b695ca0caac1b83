/** Checks back off from one minute to one hour. */
export const nextCheckAt = (createdAt: Date, now: Date) =>
  new Date(now.getTime() + Math.min(Math.max(now.getTime() - createdAt.getTime(), 60_000), 3_600_000));

/** Payments that stay unpaid for this long are cancelled. */
export const abandonedAfterHours = 24;

/** Retries for days, at least once an hour, because jobs wait for the provider. */
export const providerRetry = { retryLimit: 60, retryDelaySeconds: 30, retryDelayMaxSeconds: 3_600 };

/** The part of a payment that was not refunded; `unsent` refunds were not yet requested from the provider. */
export type RefundBalance = { bought: number; owed: number; unsent: readonly { id: string; amount: number }[] };

/** Deducts a refund from what is owed first, then from what was bought, then from unsent refunds. Undefined when less is left. */
export function deductRefund({ bought, owed, unsent }: RefundBalance, amount: number): RefundBalance | undefined {
  const ofOwed = Math.min(owed, amount);
  const ofBought = Math.min(bought, amount - ofOwed);
  let rest = amount - ofOwed - ofBought;
  const left = unsent.map(({ id, amount: waiting }) => {
    const ofThis = Math.min(waiting, rest);
    rest -= ofThis;
    return { id, amount: waiting - ofThis };
  });
  return rest > 0 ? undefined : { bought: bought - ofBought, owed: owed - ofOwed, unsent: left };
}

/** The amount of a refund that names none: what is owed if anything is, else all that is left. */
export const defaultRefundAmount = ({ bought, owed }: Pick<RefundBalance, 'bought' | 'owed'>) => (owed > 0 ? owed : bought);

/** Where the cents of a payment are that have not gone back. `unsent` are refunds that the provider has not been asked for. */
export type Purse = { bought: number; owed: number; unsent: readonly { id: string; amount: number }[] };

/**
 * What is left once an amount went back: what is owed goes first, then what still pays for something, then refunds that were to be sent.
 * Undefined where there is not so much.
 */
export function takeFrom({ bought, owed, unsent }: Purse, amount: number): Purse | undefined {
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

/** How much a refund is of that names none: what is owed where something is, else all that is left. */
export const amountToReturn = ({ bought, owed }: Pick<Purse, 'bought' | 'owed'>) => (owed > 0 ? owed : bought);

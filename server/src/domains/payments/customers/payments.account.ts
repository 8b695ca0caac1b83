import type { Stripe } from 'stripe';
import { isInvalidAtProvider, ProviderError } from '../../../kit/outside/provider-error.ts';
import { atProvider, isLiveKey } from '../../../kit/outside/stripe.ts';

/** The account at the provider that our keys belong to. `id` is null where the key may not ask for it. */
export type Account = { id: string | null; livemode: boolean };

/** What a row says of the account that it belongs to. */
export type Belonging = { account: string | null; livemode: boolean | null };

/** Whether something was made with keys of this account and mode, as far as both are known. */
export const belongsTo = (row: Belonging, here: Account) =>
  row.livemode === null || (row.livemode === here.livemode && (row.account === null || here.id === null || row.account === here.id));

/** As people read it. */
export const accountName = ({ id, livemode }: Account) => `${id ?? 'an account that is not known'} (${livemode ? 'live' : 'test'})`;

/** Restricted keys need not have the right to read their account. */
const mayNotAsk = (error: unknown) => isInvalidAtProvider(error) || (error instanceof ProviderError && error.log.status === 403);

/** Asks for the account once; what is known without asking is there at once. */
export function openAccount(stripe: () => Stripe, secretKey: string) {
  const livemode = isLiveKey(secretKey);
  let known: Account = { id: null, livemode };
  let asked: Promise<Account> | undefined;
  async function ask(): Promise<Account> {
    try {
      const { id } = await atProvider(stripe().accounts.retrieveCurrent());
      known = { id, livemode };
    } catch (error) {
      if (!mayNotAsk(error)) throw error;
    }
    return known;
  }
  return {
    known: () => known,
    ask() {
      asked ??= ask();
      asked.catch(() => (asked = undefined));
      return asked;
    },
  };
}

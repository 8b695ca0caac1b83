import type { Stripe } from 'stripe';
import type { Reader } from '../../kit/database/database.ts';
import { ProviderError, isInvalidProviderRequest } from '../../kit/integrations/provider-error.ts';
import { callProvider, isLiveKey } from '../../kit/integrations/stripe.ts';

/** `id` is null when the key may not read it. */
export type ProviderAccount = { id: string | null; livemode: boolean };

/** The account recorded on a row. */
export type AccountRow = { account: string | null; livemode: boolean | null };

/** Whether a row was made with keys of this account and mode, as far as both are known. */
export const isOfAccount = (row: AccountRow, here: ProviderAccount) =>
  row.livemode === null || (row.livemode === here.livemode && (row.account === null || here.id === null || row.account === here.id));

export const formatAccount = ({ id, livemode }: ProviderAccount) =>
  `${id ?? 'an account that is not known'} (${livemode ? 'live' : 'test'})`;

/** Restricted keys may lack the right to read their account. */
const isForbidden = (error: unknown) => isInvalidProviderRequest(error) || (error instanceof ProviderError && error.log.status === 403);

/** `load` asks the provider once; `current` returns what is known without asking. */
export function openProviderAccount(stripe: () => Stripe, secretKey: string) {
  const livemode = isLiveKey(secretKey);
  let known: ProviderAccount = { id: null, livemode };
  let pending: Promise<ProviderAccount> | undefined;
  async function read(): Promise<ProviderAccount> {
    try {
      const { id } = await callProvider(stripe().accounts.retrieveCurrent());
      known = { id, livemode };
    } catch (error) {
      if (!isForbidden(error)) throw error;
    }
    return known;
  }
  return {
    current: () => known,
    load() {
      pending ??= read();
      pending.catch(() => (pending = undefined));
      return pending;
    },
  };
}

/** The site's id in the metadata of its intents, because other sites may share the account. Read from the database once. */
export function openPaymentSite(db: Reader): () => Promise<string> {
  let pending: Promise<string> | undefined;
  return () => {
    pending ??= getPaymentSite(db).then((site) => site.id);
    pending.catch(() => (pending = undefined));
    return pending;
  };
}

export const getPaymentSite = (db: Reader) => db.selectFrom('payment_site').select(['id', 'looked_until']).executeTakeFirstOrThrow();

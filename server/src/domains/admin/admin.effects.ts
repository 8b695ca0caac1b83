import type { Measure, Opposite } from '@handwise/contract/admin/report-words';
import type { RemovalReason } from '@handwise/contract/reviews/words';
import type { Tx } from '../../kit/database/database.ts';
import { AppError } from '../../kit/errors.ts';
import * as accounts from '../accounts/accounts.service.ts';
import * as listings from '../listings/listings.service.ts';
import * as reviews from '../reviews/reviews.service.ts';
import { findStanding, findSuspension, listHiddenByDecision } from './admin.decision-queries.ts';
import { reopenReports } from './admin.queries.ts';
import type { Thing } from './admin.things.ts';

export type About = Pick<Thing, 'kind' | 'id' | 'concernedId' | 'listingId'>;
type Removal = Exclude<RemovalReason, 'withdrawn'>;

/** Brings a decision about. Resolves to the listings that look otherwise now. Throws `already_decided` where it holds already. */
export async function apply(
  tx: Tx,
  decision: Measure,
  about: About,
  removedBecause: Removal | undefined,
  now: Date,
): Promise<readonly string[]> {
  switch (decision) {
    case 'dismiss':
    case 'warn':
      return [];
    case 'hide_listing':
      if (await findStanding(tx, 'hide_listing', about)) throw new AppError('already_decided');
      return (await listings.hide(tx, [about.id])).map(({ id }) => id);
    case 'remove_review':
      if (!removedBecause || !(await reviews.remove(tx, about.id, removedBecause))) throw new AppError('already_decided');
      return about.listingId ? [about.listingId] : [];
    case 'suspend_account': {
      const { suspended_at: since } = await accounts.findContact(tx, about.concernedId);
      if (since) throw new AppError('already_decided');
      await accounts.suspendUser(tx, about.concernedId, now);
      return (await listings.hide(tx, await listings.lockIdsOf(tx, about.concernedId))).map(({ id }) => id);
    }
  }
}

/** Takes back what a decision brought about, as if it had not been made: what another decision holds stays. The decision is undone by now. */
export async function revert(tx: Tx, decisionId: string | null, opposite: Opposite, about: About, now: Date): Promise<readonly string[]> {
  switch (opposite) {
    case 'reopen':
      if (decisionId) await reopenReports(tx, decisionId);
      return [];
    case 'show_listing': {
      const { suspended_at: suspended } = await accounts.findContact(tx, about.concernedId);
      // What hid it besides goes on hiding it.
      if (suspended || (await findStanding(tx, 'hide_listing', about))) return [];
      return (await listings.show(tx, [about.id], now)).map(({ id }) => id);
    }
    case 'restore_review':
      await reviews.restore(tx, about.id);
      return about.listingId ? [about.listingId] : [];
    case 'restore_account': {
      if (await findSuspension(tx, about.concernedId)) return [];
      await accounts.restoreUser(tx, about.concernedId);
      const all = await listings.lockIdsOf(tx, about.concernedId);
      const kept = new Set(await listHiddenByDecision(tx, all));
      const back = all.filter((id) => !kept.has(id));
      return (await listings.show(tx, back, now)).map(({ id }) => id);
    }
    case 'withdraw_warning':
      return [];
  }
}

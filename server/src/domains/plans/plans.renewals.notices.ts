import { getAnnouncedCharge, getNoticeTime } from '@handwise/contract/plans/renewal';
import type { Reader } from '../../kit/database/database.ts';
import type { Mail, MailSources } from '../../kit/mail/mail.ts';
import { type Contact, findContact, lockAccount } from '../accounts/accounts.service.ts';
import { findCard, findOpenRenewal } from '../payments/payments.service.ts';
import { type SubscriptionRow, getSubscription } from './plans.queries.ts';
import * as emails from './plans.renewals.emails.ts';
import {
  type RenewalRow,
  findRenewal,
  getRenewal,
  listCardlessRenewals,
  listLapsedRenewals,
  listRenewals,
  listUnannouncedRenewals,
} from './plans.renewals.queries.ts';
import {
  endRenewals,
  hasRenewalFailed,
  isAwaitingCardholder,
  isRenewalOn,
  isRenewalPending,
  moveRenewal,
} from './plans.renewals.states.ts';
import {
  type Parts as RenewalParts,
  announcing,
  cardRemoved,
  describeRenewal,
  findProblem,
  graceMs,
  recordFailure,
  send,
} from './plans.renewals.ts';
import { isRunning } from './plans.views.ts';

// No card is charged before the mail server had the email that announces it.

type Parts = Pick<RenewalParts, 'context' | 'hooks'>;

const tooLate = 'We could not tell you about the charge in time. Nothing was charged.';

const isUnreachable = ({ suspended_at, deleted_at }: Contact) => suspended_at !== null || deleted_at !== null;

const planCharge = ({ agreed_at: agreedAt, charge_at: due }: RenewalRow, { ends_at: endsAt }: SubscriptionRow, now: Date) =>
  due && getAnnouncedCharge({ agreedAt, due, endsAt }, now);

/** Announces charges, reports cards that were removed, and says which plans ended unpaid. */
export async function announceRenewals(parts: Parts, batch = 200): Promise<void> {
  const { db, clock } = parts.context;
  const now = clock.now();
  const failures: unknown[] = [];
  // One that fails must not keep the others from it, and stays in the list, so that a batch with one is the last of this run.
  const succeeds = (work: Promise<void>) =>
    work.then(
      () => true,
      (error: unknown) => {
        failures.push(error);
        return false;
      },
    );
  for (let hasMore = true; hasMore;) {
    const lapsed = await listLapsedRenewals(db, new Date(now.getTime() - graceMs), batch);
    hasMore = lapsed.length === batch;
    for (const { subscription_id: id } of lapsed) if (!(await succeeds(endLapsed(parts, id)))) hasMore = false;
  }
  for (const renewal of await listCardlessRenewals(db, batch)) await succeeds(recordFailure(parts, renewal, cardRemoved));
  for (let hasMore = true; hasMore;) {
    const unannounced = await listUnannouncedRenewals(db, now, batch);
    hasMore = unannounced.length === batch;
    for (const { subscription_id: id } of unannounced) if (!(await succeeds(announce(parts, id, now)))) hasMore = false;
  }
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} renewals could not be announced or ended`);
}

async function announce(parts: Parts, id: string, now: Date): Promise<void> {
  const { context, hooks } = parts;
  const { db } = context;
  const failed = await db.transaction().execute(async (tx) => {
    const owner = await lockAccount(tx, (await getRenewal(tx, id)).user_id);
    const old = await getSubscription(tx, id);
    const before = await getRenewal(tx, id);
    if (!isRenewalOn(before) || before.noticed_at) return undefined;
    if (isUnreachable(owner)) {
      await endRenewals(tx, [id]);
      return undefined;
    }
    const chargeAt = planCharge(before, old, now);
    if (!chargeAt) return { renewal: before, problem: tooLate, nextAt: null };
    // Another worker was faster.
    if (before.notice_queued_at) return undefined;
    await moveRenewal(tx, before, 'on', { charge_at: chargeAt, notice_queued_at: now });
    const renewal = { ...before, charge_at: chargeAt };
    const card = await findCard(tx, owner.id, renewal.card_id);
    const problem = await findProblem(tx, hooks, { old, renewal, card, at: chargeAt });
    if (problem !== undefined) return { renewal, nextAt: chargeAt, ...problem };
    await send(context, tx, announcing(renewal, emails.renewalNoticeEmail(await describeRenewal(tx, parts, owner, old, renewal))));
    return undefined;
  });
  if (failed) await recordFailure(parts, failed.renewal, failed);
}

/** What announces a charge, as it reads at this moment. */
export const renewalMails = (parts: Parts): MailSources['renewal'] => ({
  compose: (id) =>
    parts.context.db.transaction().execute(async (tx): Promise<Mail | null> => {
      const now = parts.context.clock.now();
      const renewal = await findRenewal(tx, id);
      if (!renewal || !isRenewalPending(renewal) || renewal.noticed_at) return null;
      const old = await getSubscription(tx, id);
      const owner = await findContact(tx, renewal.user_id);
      // What has ended is said when the renewal is closed.
      if (isUnreachable(owner) || !isRunning(old, now)) return null;
      const chargeAt = planCharge(renewal, old, now);
      const facts = await describeRenewal(tx, parts, owner, old, { ...renewal, charge_at: chargeAt });
      if (hasRenewalFailed(renewal))
        return emails.renewalFailedEmail(facts, { problem: renewal.problem ?? '', needsAction: isAwaitingCardholder(renewal.status) });
      const card = await findCard(tx, renewal.user_id, renewal.card_id);
      const found = await findProblem(tx, parts.hooks, { old, renewal, card, at: chargeAt ?? now });
      if (found) {
        return emails.renewalFailedEmail({ ...facts, chargeAt: found.nextAt === null ? null : chargeAt }, { ...found, needsAction: false });
      }
      // `announceRenewals` says that it is too late.
      if (!chargeAt) return null;
      return renewal.agreed_at >= getNoticeTime(old.ends_at) ? emails.renewalOnEmail(facts) : emails.renewalNoticeEmail(facts);
    }),
  noteSent: (id) =>
    parts.context.db.transaction().execute(async (tx) => {
      const now = parts.context.clock.now();
      const renewal = await findRenewal(tx, id);
      if (!renewal || !isRenewalPending(renewal) || renewal.noticed_at) return;
      const old = await getSubscription(tx, id);
      const { status, problem } = renewal;
      const chargeAt = planCharge(renewal, old, now) ?? (isRenewalOn(renewal) ? old.ends_at : null);
      await moveRenewal(tx, renewal, status, { problem, noticed_at: now, charge_at: chargeAt });
    }),
});

/** Whether an email has said already that the plan ends unpaid. */
const isLapseTold = (renewal: RenewalRow) => hasRenewalFailed(renewal) && renewal.noticed_at !== null && renewal.charge_at === null;

/** The ended subscriptions whose lapsed renewal an email of its own is going to say, with the end of their listings. */
export const listLapsesToTell = async (db: Reader, subscriptionIds: readonly string[]): Promise<Set<string>> =>
  new Set(
    (await listRenewals(db, subscriptionIds))
      .filter((renewal) => isRenewalPending(renewal) && !isLapseTold(renewal))
      .map(({ subscription_id: id }) => id),
  );

/** Closes the renewal of a plan that has ended unpaid, and says so unless an email has said it already. */
async function endLapsed(parts: Parts, id: string): Promise<void> {
  const { context, hooks } = parts;
  await context.db.transaction().execute(async (tx) => {
    const owner = await lockAccount(tx, (await getRenewal(tx, id)).user_id);
    const renewal = await getRenewal(tx, id);
    if (!isRenewalPending(renewal)) return;
    await endRenewals(tx, [id]);
    if (isLapseTold(renewal) || isUnreachable(owner)) return;
    await hooks.noteListingsEnded(tx, id);
    const old = await getSubscription(tx, id);
    const facts = await describeRenewal(tx, parts, owner, old, renewal);
    const listings = (await hooks.listListings(tx, id)).filter(({ isOpen }) => isOpen);
    await send(context, tx, emails.notRenewedEmail(facts, { reason: await describeLapse(), listings }));

    async function describeLapse() {
      if (await findOpenRenewal(tx, id)) return 'Your bank had not approved the payment by then. If it still does, you get the money back.';
      if (renewal.problem !== null) return renewal.problem;
      return renewal.noticed_at ? 'We could not charge your card in time. Nothing was charged.' : tooLate;
    }
  });
}

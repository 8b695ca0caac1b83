import { expect } from 'vitest';
import { dayMs } from '@handwise/contract/dates';
import type { PlanType } from '@handwise/contract/plans/calls';
import { runAudits } from '@handwise/server/composition/audit';
import { planHooks } from '@handwise/server/composition/hooks';
import { createMailSources } from '@handwise/server/composition/job-handlers';
import { chargeDueRenewals } from '@handwise/server/domains/plans/plans.renewals';
import { announceRenewals } from '@handwise/server/domains/plans/plans.renewals.notices';
import type { testApp } from './app.ts';

type App = Awaited<ReturnType<typeof testApp>>;
type User = Awaited<ReturnType<App['given']['user']>>;
export type Seller = { user: User; id: string; endsAt: Date; cardId: string };

export const cards = { pays: '4242424242424242', declined: '4000000000000341', asks: '4000002760003184', processes: '4000000000005001' };

/** Sellers with renewals, the jobs that charge and announce them, and what came of it. */
export function renewalFixtures({ db, given, callers, sandbox, outbox, parts }: App) {
  const { as } = callers;
  const { provider } = sandbox;
  const { mails } = outbox;
  const { clock, context, payments } = parts;
  /** A seller with a listing under a plan that ends in 20 days, and a saved card. */
  async function seller({
    plan = 'premium',
    card = cards.pays,
    paid = false,
    district,
  }: { plan?: PlanType; card?: string; paid?: boolean; district?: number } = {}): Promise<Seller> {
    const user = paid ? (await given.published(plan)).seller : await given.user();
    if (!paid) await given.listing({ sellerId: user._id, plan, ...(district && { district }) });
    const { id, ends_at: endsAt } = await db
      .selectFrom('subscriptions')
      .select(['id', 'ends_at'])
      .where('user_id', '=', user._id)
      .executeTakeFirstOrThrow();
    return { user, id, endsAt, cardId: await given.card(user, card) };
  }

  /** Hands the emails that announce charges to the mail server, which has one for each renewal. */
  async function deliver() {
    const { renewal } = createMailSources(context);
    const keys = new Set((await mails()).flatMap(({ source }) => source?.key ?? []));
    for (const key of keys) if (await renewal.compose(key)) await renewal.noteSent(key);
  }
  const switchOn = async ({ user, id, cardId }: Seller, more: { cardId?: string; amount?: number } = {}) => {
    const answer = await as(user).put(`/plan-user/${id}/renewal`, { cardId, ...more });
    await deliver();
    return answer;
  };
  const switchOff = ({ user, id }: Pick<Seller, 'user' | 'id'>) => as(user).delete(`/plan-user/${id}/renewal`);

  /** Sets the time to so many days before the end of the plan. */
  const wait = ({ endsAt }: Pick<Seller, 'endsAt'>, daysLeft: number) => clock.set(new Date(endsAt.getTime() - daysLeft * dayMs + 1_000));
  const charge = () => chargeDueRenewals({ context, payments, hooks: planHooks });
  /** While the mail server is down. */
  const queueNotices = () => announceRenewals({ context, hooks: planHooks });
  const announce = async () => {
    await queueNotices();
    await deliver();
  };
  /** Announces the charge in time, six days before the end of the plan. */
  const announceTo = async (one: Pick<Seller, 'endsAt'>) => {
    wait(one, 6);
    await announce();
  };

  const listSubscriptions = async (user: User) => (await as(user).get('/plan-user/my-subscriptions')).body.data.subscriptions as any[];
  const find = async ({ user, id }: Pick<Seller, 'user' | 'id'>) => (await listSubscriptions(user)).find(({ _id }) => _id === id);
  const following = async ({ user, id }: Pick<Seller, 'user' | 'id'>) => (await listSubscriptions(user)).find(({ _id }) => _id !== id);
  const subjects = async (user: User) =>
    (await mails()).filter(({ to }) => to === user.email).map(({ subject }) => subject.replace(/INV-\d+/, 'INV-…'));
  const newSubjects = async (user: User, work: () => Promise<unknown>) => {
    const before = (await subjects(user)).length;
    await work();
    return (await subjects(user)).slice(before);
  };

  /** What the provider took from a user and what of it went back, in cents. */
  async function money(user: User) {
    const row = await db.selectFrom('payment_customers').select('customer_id').where('user_id', '=', user._id).executeTakeFirst();
    if (!row) return { taken: [], back: 0 };
    const { data } = await provider.charges.list({ customer: row.customer_id, limit: 100 });
    return {
      taken: data.filter(({ paid }) => paid).map(({ amount }) => amount),
      back: data.reduce((sum, { amount_refunded: amount }) => sum + amount, 0),
    };
  }

  const expectBalancedBooks = async () => {
    const wrong = (await runAudits(db)).filter((report) => report.wrong > 0);
    expect(wrong).toEqual([]);
  };

  return {
    announce,
    announceTo,
    charge,
    deliver,
    expectBalancedBooks,
    find,
    following,
    listSubscriptions,
    money,
    newSubjects,
    queueNotices,
    seller,
    subjects,
    switchOff,
    switchOn,
    wait,
  };
}

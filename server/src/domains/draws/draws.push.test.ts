import { beforeEach, expect, test } from 'vitest';
import { testApp } from '@handwise/sandbox/testing/app';
import { times } from '@handwise/sandbox/testing/times';
import { issueTickets, voidTickets } from '../tickets/tickets.service.ts';
import { closeDueDraws, completeDueDraws, pushResult } from './draws.service.ts';

const { db, given, callers, outbox, parts, pushes } = await testApp();
const { as } = callers;
const { clock, context } = parts;

let year = 2030;
beforeEach(async () => {
  year += 1;
  clock.set(new Date(`${year}-06-10T00:00:00Z`));
  pushes.received.length = 0;
  await db.deleteFrom('push_subscriptions').execute();
});

const title = 'The result of the monthly draw is out';
const winnerTitle = 'The monthly draw has a result for you';

/** A member with a device and, by default, a ticket of this month. */
async function member({ tickets = 1 } = {}) {
  const user = await given.member();
  const subscription = pushes.subscribe();
  expect((await as(user).post('/push/subscriptions', subscription)).status).toBe(200);
  const issue = () => db.transaction().execute((tx) => issueTickets(tx, context, { userId: user._id, tickets, source: 'signup' }));
  return { ...user, endpoint: subscription.endpoint, entryId: tickets > 0 ? (await issue()).entryId : '' };
}
type Member = Awaited<ReturnType<typeof member>>;

const shownTo = ({ endpoint }: Member) =>
  pushes.received
    .filter((one) => one.endpoint === endpoint)
    .map((one) => (JSON.parse(one.payload) as { title: string }).title)
    .toSorted();

/** Ends the month and reads its round; the jobs that follow wait. */
async function finishMonth() {
  clock.set(new Date(`${year}-06-30T11:30:00Z`));
  await closeDueDraws(context);
  clock.set(new Date(`${year}-06-30T11:36:00Z`));
  await completeDueDraws(context);
  const { id } = await db.selectFrom('draws').select('id').orderBy('completed_at', 'desc').limit(1).executeTakeFirstOrThrow();
  const { user_id: winnerId } = await db
    .selectFrom('draw_picks')
    .innerJoin('draw_entries', 'draw_entries.id', 'entry_id')
    .select('user_id')
    .where('draw_id', '=', id)
    .where('won_at', 'is not', null)
    .executeTakeFirstOrThrow();
  return { id, winnerId };
}

test('everyone with tickets and a device is notified of the result once, and the winner of the prize instead', async () => {
  const entrants = await times(4, () => member());
  const second = pushes.subscribe();
  const [first] = entrants;
  const again = await callers.asVisitor.post('/auth/login', { email: first?.email, password: 'correct-horse' });
  expect((await as(again.body.data).post('/push/subscriptions', second)).status).toBe(200);
  const others = [await member({ tickets: 0 }), await member()];
  await db.transaction().execute((tx) => voidTickets(tx, context, [others[1]?.entryId ?? ''], 'fraud'));
  const { winnerId } = await finishMonth();
  // The draw itself sends the winner's notification and one job, however many take part.
  expect(await outbox.queued('draws.push-result')).toHaveLength(1);
  await outbox.runJobs();
  for (const one of entrants) expect(shownTo(one)).toEqual([one._id === winnerId ? winnerTitle : title]);
  for (const one of others) expect(shownTo(one)).toEqual([]);
  const all = pushes.received.map(({ payload }) => JSON.parse(payload) as Record<string, string>);
  expect(all.find((one) => one['title'] === title)).toEqual({
    title,
    body: 'Handwise',
    path: `/draws/${year}-06`,
    tag: expect.stringMatching(/^draw-/),
  });
  expect(pushes.received.filter((one) => one.endpoint === second.endpoint)).toHaveLength(1);
});

test('sends nothing twice when two servers run the job at once, or it runs again', async () => {
  const entrants = await times(5, () => member());
  const { id } = await finishMonth();
  await Promise.all([pushResult(context, id, 2), pushResult(context, id, 2), pushResult(context, id, 2)]);
  await pushResult(context, id, 2);
  await outbox.runJobs();
  expect(entrants.map((one) => shownTo(one).length)).toEqual([1, 1, 1, 1, 1]);
});

test('goes on after the last batch that was committed when the job is killed', async () => {
  const entrants = await times(5, () => member());
  const { id } = await finishMonth();
  let batches = 0;
  const jobs = new Proxy(context.jobs, {
    get: (target, name) => {
      if (name !== 'sendAll') return Reflect.get(target, name).bind(target);
      return async (...sent: Parameters<typeof target.sendAll>) => {
        await target.sendAll(...sent);
        batches += 1;
        if (batches === 2) throw new Error('killed');
      };
    },
  });
  await expect(pushResult({ db, jobs }, id, 2)).rejects.toThrow('killed');
  expect(batches).toBe(2);
  await outbox.runJobs();
  expect(entrants.map((one) => shownTo(one).length)).toEqual([1, 1, 1, 1, 1]);
});

test('sends nothing to an account that was suspended or deleted', async () => {
  const entrants = await times(4, () => member());
  const { id, winnerId } = await finishMonth();
  const [suspended, deleted, last] = entrants.filter((one) => one._id !== winnerId);
  await db
    .updateTable('users')
    .set({ suspended_at: clock.now() })
    .where('id', '=', suspended?._id ?? '')
    .execute();
  // Deleting an account ends its devices; this one is left over.
  await db
    .updateTable('users')
    .set({ deleted_at: clock.now() })
    .where('id', '=', deleted?._id ?? '')
    .execute();
  await pushResult(context, id);
  const titles = new Set((await outbox.queued('push.deliver-notification')).map((one) => one.notification.title as string));
  expect(titles).toEqual(new Set([winnerTitle, title]));
  expect(await outbox.queued('push.deliver-notification')).toHaveLength(2);
  await outbox.runJobs();
  expect([suspended, deleted, last].map((one) => one && shownTo(one))).toEqual([[], [], [title]]);
});

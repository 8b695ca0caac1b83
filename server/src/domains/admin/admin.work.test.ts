import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { addWorkingDays } from '@handwise/contract/dates';
import { testApp } from '@handwise/sandbox/testing/app';
import { reconcilePayments } from '../payments/payments.service.ts';
import { compareWork } from './admin.work.ts';

const { db, given, callers, parts, sandbox } = await testApp({}, null, { proxied: true });
const { as } = callers;
const { clock } = parts;
const admin = await given.administrator();
const read = async () => (await as(admin).get('/admin/work')).body;
const titles = async () => (await read()).tasks.map(({ title }: { title: string }) => title);

test('says that there is nothing to do', async () => {
  expect(await read()).toEqual({ tasks: [], left: [], unread: [] });
});

test('lists what waits in each queue with its age, what is due first', async () => {
  const { seller, listing } = await given.published('basic');
  const reporter = await given.user();
  await as(reporter).post('/reports', { kind: 'listing', id: listing._id, reason: 'spam', text: '' });
  const day = 86_400_000;
  const now = clock.now().getTime();
  const ago = (days: number) => new Date(now - days * day);
  const ahead = (days: number) => ago(-days);
  await sql`
    update licence_checks set register = 'nz-lbp', number = 'BP123456', state = 'stated', queued_at = ${ago(40)}
    where listing_id = ${listing._id}`.execute(db);
  const referred = await given.user();
  await sql`
    insert into referrals (referrer_id, referred_id, code, status, entered_at, mailbox_key, created_at, held_because, held_at, held_until)
    values (${seller._id}, ${referred._id}, 'MERE12345', 'held', 'registration', 'mailbox-of-referred', ${ago(1)}, 'same_card', ${ago(1)}, ${ahead(2)})`.execute(
    db,
  );
  const { id: paymentId } = await db.selectFrom('payments').select('id').executeTakeFirstOrThrow();
  await sql`
    insert into disputes (provider_id, payment_id, amount_minor, reason, status, due_by, opened_at)
    values ('dp_answer', ${paymentId}, 1500, 'fraudulent', 'needs_response', ${ahead(1)}, ${ago(5)}),
      ('dp_answered', ${paymentId}, 1500, 'fraudulent', 'under_review', ${ahead(1)}, ${ago(9)})`.execute(db);
  await sql`
    insert into fraud_warnings (provider_id, payment_id, fraud_type, actionable, warned_at)
    values ('issfr_1', ${paymentId}, 'misc', true, ${ago(2)}), ('issfr_2', ${paymentId}, 'misc', false, ${ago(8)})`.execute(db);
  const { tasks, left, unread } = await read();
  expect([left, unread]).toEqual([[], []]);
  expect(tasks.map(({ source, title }: { source: string; title: string }) => [source, title])).toEqual([
    ['disputes', 'Dispute about $15.00 NZD: answer the bank'],
    ['referrals', 'Referral with the code MERE12345'],
    ['licences', expect.stringContaining('Licence BP123456: ')],
    ['payments', expect.stringContaining('The bank warns of fraud with $15.00 NZD')],
    ['reports', `Report: ${listing.serviceTitle}`],
  ]);
  expect(tasks[0]).toMatchObject({ path: `/admin/payments/${paymentId}`, since: ago(5).toISOString(), dueAt: ahead(1).toISOString() });
  expect(tasks[2]).toMatchObject({ path: '/admin/licences', since: ago(40).toISOString(), dueAt: null });
  // Ten working days, as the page about complaints promises.
  expect(Date.parse(tasks[4].dueAt) - Date.parse(tasks[4].since)).toBeGreaterThan(13 * day);
});

test('a source that cannot be read is named and hides no other', async () => {
  const before = await titles();
  await sql`alter table licence_checks rename to licence_checks_gone`.execute(db);
  const { tasks, unread } = await read();
  await sql`alter table licence_checks_gone rename to licence_checks`.execute(db);
  expect(unread).toEqual(['licences']);
  expect(tasks).toHaveLength(before.length - 1);
  expect(parts.logged.join('\n')).toContain('work for administrators could not be read');
});

test('lists the oldest fifty of a queue and says how many are left', async () => {
  const { listing } = await given.published('featured');
  await sql`
    insert into reports (kind, subject_id, concerned_id, reason, comment, title, words, listing_id, created_at)
    select 'listing', gen_random_uuid(), ${admin._id}, 'spam', '', 'One of many', '', ${listing._id}, now() - interval '1 year'
    from generate_series(1, 60)`.execute(db);
  const { tasks, left } = await read();
  expect(tasks.filter(({ source }: { source: string }) => source === 'reports')).toHaveLength(50);
  expect(left).toEqual([{ source: 'reports', number: 11 }]);
  // Long overdue, so before all others.
  expect(tasks[0]).toMatchObject({ title: 'Report: One of many' });
});

test('jobs that failed for good, late draws and payments in doubt are work', async () => {
  await sql`
    insert into pgboss.job (name, data, state, created_on) select name, '{}', 'created', now() - interval '3 days'
    from pgboss.queue where name = 'jobs.failed'`.execute(db);
  await sql`
    insert into draw_periods (year, month, starts_at, closes_at, origin, terms)
    values (2021, 3, '2021-02-28T10:30Z', '2021-03-31T10:30Z', 'x/draws/2021-03', '{"prize": {"amountMinor": 100000}}')`.execute(db);
  const seller = await given.user();
  await as(seller).post('/plan-user/create-intent', { planId: given.planId('basic') });
  // The reconciler moves `check_at` ahead before each attempt.
  await sql`update payments set check_at = now() - interval '1 hour' where status = 'open'`.execute(db);
  sandbox.stripe.setFault('down');
  const start = clock.now().getTime();
  const isDoubted = async () => (await titles()).includes('Nobody knows yet whether $15.00 NZD was paid');
  for (const minutes of [0, 16]) {
    clock.set(new Date(start + minutes * 60_000));
    await reconcilePayments(parts.payments, true).catch(() => {});
    expect([minutes, await isDoubted()]).toEqual([minutes, minutes === 16]);
  }
  const doubted = (await read()).tasks.find(({ title }: { title: string }) => title.startsWith('Nobody knows'));
  // Since the first failure, not the last one.
  expect(Date.parse(doubted.since) - start).toBeLessThan(60_000);
  const found = await titles();
  expect(found).toContain('1 job failed for good');
  expect(found).toContain('Draw of March 2021: the entries should have closed by now');
  sandbox.stripe.setFault(null);
  await reconcilePayments(parts.payments, true);
  expect(await isDoubted()).toBe(false);
});

test('says how many disputes and payments are left, and lists refused webhooks', async () => {
  const { id: paymentId } = await db.selectFrom('payments').select('id').where('status', '=', 'succeeded').executeTakeFirstOrThrow();
  const before = (await read()).tasks.filter(({ source }: { source: string }) => source === 'disputes' || source === 'payments').length;
  expect(before).toBe(2);
  await sql`
    insert into disputes (provider_id, payment_id, amount_minor, reason, status, due_by, opened_at)
    select 'dp_' || i, ${paymentId}, 1500, 'fraudulent', 'needs_response', now(), now() from generate_series(1, 52) i`.execute(db);
  await sql`
    insert into fraud_warnings (provider_id, payment_id, fraud_type, actionable, warned_at)
    select 'issfr_many_' || i, ${paymentId}, 'misc', true, now() from generate_series(1, 54) i`.execute(db);
  await sql`update payments set failing_since = now() - interval '1 hour' where status = 'open'`.execute(db);
  await sql`insert into provider_refusals (minute, refused) values (date_trunc('minute', now()), 7)`.execute(db);
  const { tasks, left } = await read();
  expect(left).toEqual(
    expect.arrayContaining([
      { source: 'disputes', number: 3 },
      { source: 'payments', number: 6 },
    ]),
  );
  expect(tasks.filter(({ source }: { source: string }) => source === 'payments')).toHaveLength(50);
  expect(await titles()).toContain('7 messages in the payment provider’s name refused: check the secret of its webhooks');
});

test('only administrators read it', async () => {
  expect((await as(await given.user()).get('/admin/work')).status).toBe(403);
  expect((await callers.asVisitor.get('/admin/work')).status).toBe(401);
});

test('working days leave out weekends, in New Zealand’s time', () => {
  // A Friday evening there.
  expect(addWorkingDays(new Date('2026-11-27T08:00:00Z'), 1, 'Pacific/Auckland').toISOString()).toBe('2026-11-30T11:00:00.000Z');
  expect(addWorkingDays(new Date('2026-11-27T08:00:00Z'), 10, 'Pacific/Auckland').toISOString()).toBe('2026-12-11T11:00:00.000Z');
});

test('what is due in more than three days is ordered by its age', () => {
  const now = new Date('2026-11-30T00:00:00Z');
  const task = (since: string, dueAt: string | null) => ({ source: 'reports' as const, title: since, path: '/', since, dueAt });
  const ordered = [
    task('2026-11-29', '2026-12-02T00:00:00Z'),
    task('2026-11-01', '2026-12-10T00:00:00Z'),
    task('2026-11-20', '2026-11-25T00:00:00Z'),
    task('2026-10-01', null),
  ].toSorted(compareWork(now));
  expect(ordered.map(({ title }) => title)).toEqual(['2026-11-20', '2026-11-29', '2026-10-01', '2026-11-01']);
});

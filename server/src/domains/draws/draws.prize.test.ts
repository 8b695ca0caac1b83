import { afterAll, expect, test } from 'vitest';
import { defaultSite } from '@handwise/contract/site/default-site';
import { site } from '@handwise/contract/site/site';
import { testApp } from '@handwise/sandbox/testing/app';
import { testSite } from '@handwise/sandbox/testing/site';
import { ensurePeriod, giveTickets, issueTickets } from '../tickets/tickets.service.ts';
import { closeDueDraws, completeDueDraws } from './draws.service.ts';

const { app, db, given, callers, outbox, parts } = await testApp({}, await testSite());
const { as, asVisitor } = callers;
const { clock, context } = parts;
// Test files share a process.
const { drawOpening } = site;
afterAll(() => void Object.assign(site, { ...defaultSite, drawPrize: '1000', drawOpening }));

const page = async (url: string) => (await app.inject(url)).body.replaceAll('<!-- -->', '');
const prizeOf = async (period: string) => (await asVisitor.get(`/draws/${period}`)).body.draw.prize.amount;

test('a draw pays what it was announced with; a new prize is for the next draw, on pages and in emails', async () => {
  const day = 86_400_000;
  clock.set(new Date('2031-06-10T00:00:00Z'));
  const closes = new Date('2031-06-30T11:30:00Z');
  await ensurePeriod(context);
  await context.events.catchUp();
  const winner = await given.user();
  await db.updateTable('users').set({ email_confirmed_at: clock.now() }).where('id', '=', winner._id).execute();
  await db.transaction().execute((tx) => issueTickets(tx, context, { userId: winner._id, tickets: 1, source: 'signup' }));

  let admin = await given.administrator();
  const change = (more: object) =>
    as(admin).put('/admin/settings', { version: 0, reason: 'A larger prize', values: { prize: '2500' }, ...more });
  expect(await change({})).toMatchObject({
    status: 400,
    body: { errors: [{ field: 'acceptsUnmet', message: expect.stringMatching(/^Say yes .*NSW: .*\$30,000.* SA: .* ACT: .* NT: /) }] },
  });
  expect(await change({ acceptsUnmet: false })).toMatchObject({ status: 400 });
  const answer = await change({ acceptsUnmet: true });
  expect(answer).toMatchObject({ status: 200, body: { settings: { prize: '2500' } } });
  // June was announced with $1,000.
  expect(await prizeOf('2031-06')).toBe(1_000);
  expect((await asVisitor.get('/draws/current/terms')).body.prize).toMatchObject({
    title: 'Premium Listing Package worth $1,000',
    amountMinor: 100_000,
  });
  for (const url of ['/terms', '/draws', '/draw-rules']) expect([url, (await page(url)).includes('$2,500')]).toEqual([url, false]);
  expect(await page('/terms')).toContain('The prize is $1,000 in money');

  clock.set(new Date(closes.getTime() + 310_000));
  await closeDueDraws(context);
  await ensurePeriod(context);
  clock.set(new Date(closes.getTime() + 700_000));
  await completeDueDraws(context);
  await context.events.catchUp();
  const mail = (await outbox.mails()).find(({ to, subject }) => to === winner.email && subject.includes('won'));
  expect(JSON.stringify(mail)).toContain('$1,000');
  expect(JSON.stringify(mail)).not.toContain('$2,500');
  const again = (await asVisitor.post('/auth/login', { email: winner.email, password: 'correct-horse' })).body.data;
  const asWinner = callers.as({ ...winner, token: again.token });
  expect((await asWinner.get('/referral/check-winner')).body.draw).toMatchObject({ prizeAmount: 1_000 });
  // Without permits, June was not open to people in four states.
  const bank = { bankName: 'Kiwibank', accountHolder: 'Mere Kahu', accountNumber: '38-9000-0765434-00' };
  for (const [livesIn, message] of [
    [undefined, 'Choose where you live'],
    ['SA', 'This draw was not open to people who live in South Australia: it had no permit there'],
    ['ACT', 'This draw was not open to people who live in the Australian Capital Territory: it had no permit there'],
    ['Atlantis', 'Choose where you live'],
  ] as const) {
    for (const account of [bank, { ...bank, currency: 'NZD' }]) {
      const refused = await asWinner.post('/referral/payment-details', { ...account, livesIn });
      expect(refused).toMatchObject({ status: 400, body: { errors: [{ field: 'livesIn', message }] } });
    }
  }
  expect((await asWinner.get('/referral/check-winner')).body.draw).toMatchObject({
    paymentStatus: 'pending',
    leftOut: ['NSW', 'SA', 'ACT', 'NT'],
  });
  expect((await asWinner.post('/referral/payment-details', { ...bank, livesIn: 'VIC' })).status).toBe(200);
  admin = { ...admin, token: (await asVisitor.post('/auth/login', { email: admin.email, password: 'correct-horse' })).body.data.token };
  clock.set(new Date(closes.getTime() + 2 * day));
  expect((await as(admin).get('/admin/draw-management')).body).toMatchObject({
    currentDraw: { prizeAmount: 2_500 },
    pastDraws: expect.arrayContaining([expect.objectContaining({ month: 5, prizeAmount: 1_000 })]),
  });

  // July was announced with $2,500.
  expect((await asVisitor.get('/draws/2031-07/terms')).body.prize).toMatchObject({
    title: 'Premium Listing Package worth $2,500',
    amountMinor: 250_000,
  });
  expect(await prizeOf('2031-06')).toBe(1_000);
  for (const url of ['/terms', '/draws', '/draw-rules']) expect([url, (await page(url)).includes('$2,500')]).toEqual([url, true]);
  expect(await page('/terms')).not.toContain('$1,000');
  expect(await page('/terms')).toContain('&quot;drawPrize&quot;:&quot;2500&quot;');
});

test('a prize that every state allows without a permit needs no yes, and the next draw has it though this server has not heard of it', async () => {
  const admin = await given.administrator();
  const { version } = (await as(admin).get('/admin/settings')).body;
  // Twelve of them come to $3,000, the lowest limit.
  expect((await as(admin).put('/admin/settings', { version, reason: 'Smaller', values: { prize: '251' } })).status).toBe(400);
  expect((await as(admin).put('/admin/settings', { version, reason: 'Smaller', values: { prize: '250' } })).status).toBe(200);
  Object.assign(site, { prize: '9999' });
  clock.set(new Date('2033-02-10T00:00:00Z'));
  await ensurePeriod(context);
  expect((await asVisitor.get('/draws/2033-02/terms')).body.prize).toMatchObject({ amountMinor: 25_000 });
});

test('permits are shown wherever the next draw is advertised, and so is who is left out; the draw that runs stays as announced', async () => {
  clock.set(new Date('2034-02-10T00:00:00Z'));
  await ensurePeriod(context);
  const admin = await given.administrator();
  const { version } = (await as(admin).get('/admin/settings')).body;
  const permits = { permitNsw: 'TP/00042', permitAct: 'TP 26/1', permitNt: 'NT26/1' };
  const change = { version, reason: 'Permits came', values: { prize: '1000', ...permits }, acceptsUnmet: true };
  expect((await as(admin).put('/admin/settings', change)).status).toBe(200);
  expect((await asVisitor.get('/draws/2034-02/terms')).body).toMatchObject({ permits: [] });
  const places = ['/draws', '/terms', '/draw-rules'];
  for (const url of places) expect([url, (await page(url)).includes('TP/00042')]).toEqual([url, false]);

  clock.set(new Date('2034-03-10T00:00:00Z'));
  await ensurePeriod(context);
  await context.events.catchUp();
  const user = await given.user();
  await giveTickets(context, admin._id, { userId: user._id, tickets: 1, reason: 'A gift' });
  const mail = JSON.stringify((await outbox.mails()).filter(({ to }) => to === user.email));
  for (const [where, text] of [...(await Promise.all(places.map(async (url) => [url, await page(url)] as const))), ['mail', mail] as const])
    for (const said of ['TP/00042', 'TP 26/1', 'NT26/1', 'Not open to people who live in South Australia: the draw has no permit there.'])
      expect([where, said, text.includes(said)]).toEqual([where, said, true]);

  // Without one of them, a state would be left out: that needs a yes.
  const withdrawn = { version: version + 1, reason: 'Withdrawn', values: { permitNsw: '' } };
  const other = as(await given.administrator());
  expect(await other.put('/admin/settings', withdrawn)).toMatchObject({ status: 400, body: { errors: [{ field: 'acceptsUnmet' }] } });
  expect((await other.put('/admin/settings', { ...withdrawn, acceptsUnmet: true })).status).toBe(200);
});

test.each([['TP/42; NSW'], ['x'.repeat(41)], ['<b>']])('refuses a permit of %j', async (permitNsw) => {
  const admin = await given.administrator();
  const { version } = (await as(admin).get('/admin/settings')).body;
  const answer = await as(admin).put('/admin/settings', { version, reason: 'Permit', values: { permitNsw } });
  expect(answer).toMatchObject({ status: 400, body: { errors: [{ field: 'values.permitNsw' }] } });
});

test.each([['0'], ['-5'], ['1000.50'], ['1,000'], ['1000000'], ['']])('refuses a prize of %j', async (prize) => {
  const admin = await given.administrator();
  const { version } = (await as(admin).get('/admin/settings')).body;
  const answer = await as(admin).put('/admin/settings', { version, reason: 'x', values: { prize } });
  expect(answer).toMatchObject({ status: 400, body: { errors: [{ field: 'values.prize' }] } });
});

import { expect, test } from 'vitest';
import { testApp } from '@handwise/sandbox/testing/app';
import { testSite } from '@handwise/sandbox/testing/site';
import { closeDueDraws, completeDueDraws } from '../src/domains/draws/draws.service.ts';
import { issueTickets } from '../src/domains/tickets/tickets.service.ts';

const { app, db, given, callers, parts } = await testApp({}, await testSite());
const { as, asVisitor } = callers;
const { clock, context } = parts;

/** A visitor's page: its text without scripts, and whether it came from the cache. */
async function pageOf(url: string) {
  await context.events.catchUp();
  const { statusCode, body, headers } = await app.inject({ url });
  const text = body
    .replace(/<script[\s\S]*?<\/script>/g, '')
    .replace(/<!-- -->/g, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ');
  return { statusCode, body, text, isCached: headers['x-cache'] === 'hit' };
}

const closes = new Date('2031-06-30T11:30:00Z');
const after = (seconds: number) => new Date(closes.getTime() + seconds * 1000);

test('draw pages show promise, result and winner without scripts or addresses', async () => {
  clock.set(new Date('2031-06-10T00:00:00Z'));
  const user = await given.user();
  await db.updateTable('users').set({ full_name: 'Mere Kahu', email_confirmed_at: clock.now() }).where('id', '=', user._id).execute();
  await db.transaction().execute((tx) => issueTickets(tx, context, { userId: user._id, tickets: 5, source: 'other' }));
  const url = '/draws/2031-06';
  await pageOf(url);
  const open = await pageOf(url);
  expect(open.isCached).toBe(true);
  expect(open.text).toContain('Open until Jun 30, 2031, 11:30 pm');
  expect(open.text).toContain('1 person holds 5 tickets in 1 entry');
  expect(open.body).not.toContain('Check this draw in my browser');

  clock.set(closes);
  await closeDueDraws(context);
  for (const path of [url, '/draws', url, '/draws']) {
    const waiting = await pageOf(path);
    expect(waiting.text).toMatch(/Waiting for public randomness, ready in about 30\d seconds/);
    expect([path, waiting.isCached]).toEqual([path, false]);
  }

  clock.set(after(310));
  await completeDueDraws(context);
  const over = await pageOf(url);
  expect(over.text).toContain('Mere K. won $1,000');
  expect(over.text).toContain('NOT A REAL DRAW');
  expect(over.text).toContain('What we promised beforehand');
  const { root } = (await app.inject('/api/draws/2031-06/proof')).json<{ root: string }>();
  expect(over.text).toContain(root);
  expect(over.text).toContain('/api/draws/2031-06/proof --log log.txt --checkpoint mail.txt');
  expect(over.body).toContain('Checking here needs JavaScript');
  for (const { body } of [over, await pageOf('/draws')])
    for (const secret of [user.email, 'Kahu', user._id]) expect(body).not.toContain(secret);
  expect((await pageOf('/draws')).text).toContain('The winner has been told but has not claimed the prize yet.');

  // The state of the prize is shown at once.
  expect((await pageOf(url)).isCached).toBe(true);
  const { data } = (await asVisitor.post('/auth/login', { email: user.email, password: 'correct-horse' })).body;
  const bank = { bankName: 'Kiwibank', livesIn: 'NZ', accountHolder: 'Mere Kahu', accountNumber: '38-9000-0765434-00', currency: 'NZD' };
  expect((await as({ ...user, token: data.token }).post('/referral/payment-details', bank)).status).toBe(200);
  expect((await pageOf(url)).text).toContain('The winner has claimed the prize');
  expect((await pageOf(url)).isCached).toBe(true);
  const administrator = await given.user();
  await db.updateTable('users').set({ role: 'admin' }).where('id', '=', administrator._id).execute();
  const { pastDraws, currentDraw } = (await as(administrator).get('/admin/draw-management')).body;
  const { _id } = [currentDraw, ...pastDraws].find(({ month }: { month: number }) => month === 5);
  expect((await as(administrator).post(`/admin/draws/${_id}/strike`, { reason: 'Not allowed to win.' })).status).toBe(200);
  expect((await pageOf(url)).text).toContain('Not allowed to win.');
});

test('shows the rules of the current month, or of a given one', async () => {
  clock.set(after(400));
  expect((await pageOf('/draws')).text).toContain('July 2031');
  expect((await pageOf('/draw-rules')).text).toContain('The terms of July 2031');
  const june = await pageOf('/draw-rules?month=2031-06');
  expect(june.text).toContain('The terms of June 2031');
  for (const words of ['New South Wales', '2026-11-21', 'Its public key (Ed25519)', 'Other months July 2031 June 2031'])
    expect(june.text).toContain(words);
  expect(june.text).not.toMatch(/not met/i);
  expect(june.text.match(/\$1,000/g)).toHaveLength(2);
});

test.each(['/draws/2031-13', '/draws/2001-01', '/draws/soon', '/draw-rules?month=2001-01', '/draw-rules?month=soon'])(
  '%s is no page',
  async (url) => {
    expect((await pageOf(url)).statusCode).toBe(404);
  },
);

test('the cached page shows at once when an unclaimed prize passes to the next winner', async () => {
  clock.set(new Date('2031-07-10T00:00:00Z'));
  const twice = await Promise.all([given.member(), given.member()]);
  for (const user of [...twice, ...twice])
    await db.transaction().execute((tx) => issueTickets(tx, context, { userId: user._id, tickets: 1, source: 'other' }));
  clock.set(new Date('2031-07-31T12:30:00Z'));
  await closeDueDraws(context);
  clock.set(new Date('2031-07-31T12:40:00Z'));
  await completeDueDraws(context);
  await pageOf('/draws/2031-07');
  expect((await pageOf('/draws/2031-07')).isCached).toBe(true);

  const administrator = await given.user();
  await db.updateTable('users').set({ role: 'admin' }).where('id', '=', administrator._id).execute();
  const { pastDraws, currentDraw } = (await as(administrator).get('/admin/draw-management')).body;
  const { _id } = [currentDraw, ...pastDraws].find(({ month }: { month: number }) => month === 6);
  expect((await as(administrator).post(`/admin/draws/${_id}/strike`, { reason: 'Lives elsewhere.' })).status).toBe(200);
  const { text } = await pageOf('/draws/2031-07');
  expect(text).toMatch(/Lives elsewhere\. Passed over, as entries of the same person: [\da-f]{32}/);
  expect(text).toContain('has not claimed');
});

import { afterEach, expect, test } from 'vitest';
import { notMeantByVerified } from '@handwise/contract/registers/words';
import { testApp } from '@handwise/sandbox/testing/app';
import { registerHooks } from '../../composition/hooks.ts';
import { openRegisters } from '../../kit/integrations/registers.ts';
import { checkRegister, startDueChecks } from './registers.service.ts';

const { db, given, callers, registers, outbox, parts } = await testApp();
const { as } = callers;
const { runJobs, mails } = outbox;
const { context, clock } = parts;
afterEach(() => registers.setFault(null));

let made = 0;
/** A unique number with a valid check digit. */
function newNzbn() {
  const body = `94298${String(++made).padStart(7, '0')}`;
  const sum = [...body].reduce((all, digit, place) => all + Number(digit) * (place % 2 === 0 ? 1 : 3), 0);
  return `${body}${(10 - (sum % 10)) % 10}`;
}
const abn = '51824753556';

const perth = { district: 2101, location: 'Perth, Western Australia, Australia' };

/** A listing whose number is registered under its name and has been checked. */
async function checked() {
  const number = newNzbn();
  registers.set(number, { name: 'KINGI LIMITED' });
  const one = await given.editedListing({ businessNumber: number });
  await runJobs();
  return { ...one, number };
}
/** The column that searches filter by. */
const isVerified = async (id: string) =>
  (await db.selectFrom('listings').select('verified').where('id', '=', id).executeTakeFirstOrThrow()).verified;
const mailsAbout = async (email: string) =>
  (await mails()).filter((mail) => mail.to === email && mail.subject.startsWith('We could not verify'));

test('verifies a business registered under its name, with date, register and disclaimer', async () => {
  const number = newNzbn();
  registers.set(number, { name: 'RUA HOLDINGS LIMITED', tradingNames: ['Kingi Plumbing'] });
  const { seen, own, id, seller } = await given.editedListing({ businessNumber: ` ${number.slice(0, 4)} ${number.slice(4)} ` });
  expect(await seen()).toMatchObject({ verified: [] });
  expect((await own()).registerCheck).toEqual({ register: 'nzbn', number, state: 'claimed', registerName: null, checkedAt: null });
  await runJobs();
  const verified = [
    {
      register: 'nzbn',
      registerName: 'Sandbox, in place of the New Zealand Business Number register',
      number,
      name: 'RUA HOLDINGS LIMITED',
      date: expect.any(String),
      page: `https://www.nzbn.govt.nz/mynzbn/nzbndetails/${number}/`,
      sandbox: true,
      notMeant: notMeantByVerified,
    },
  ];
  expect((await seen()).verified).toEqual(verified);
  expect((await as(seller).get('/listing/mylistings')).body.listings[0].verified).toEqual(verified);
  expect((await own()).registerCheck).toMatchObject({ state: 'verified', registerName: 'RUA HOLDINGS LIMITED' });
  expect(await isVerified(id)).toBe(true);
  expect((await seen()).registerCheck).toBeUndefined();
});

test('does not verify by a former trading name', async () => {
  const number = newNzbn();
  registers.set(number, { name: 'RUA HOLDINGS LIMITED', formerNames: ['Kingi Plumbing'] });
  const { own } = await given.editedListing({ businessNumber: number });
  await runJobs();
  expect((await own()).registerCheck).toMatchObject({ state: 'refused', registerName: 'RUA HOLDINGS LIMITED' });
});

test('queries the Australian register for an Australian business', async () => {
  registers.set(abn, { name: 'SMITH, JOHN', tradingNames: ['KINGI PLUMBING'] });
  const { seen } = await given.editedListing({ businessNumber: '51 824 753 556' }, perth);
  await runJobs();
  expect((await seen()).verified).toMatchObject([{ register: 'abn', number: '51 824 753 556', name: 'SMITH, JOHN' }]);
  registers.set(abn, { name: 'KINGI PTY LTD', ended: true });
  const ended = await given.editedListing({ businessNumber: abn }, perth);
  registers.set('33051775556', null);
  const unknown = await given.editedListing({ businessNumber: '33051775556' }, perth);
  await runJobs();
  expect((await ended.own()).registerCheck).toMatchObject({ number: '51 824 753 556', state: 'gone' });
  expect((await unknown.own()).registerCheck).toMatchObject({ state: 'refused', registerName: null });
});

test('invalidates the cached page when the badge appears', async () => {
  const { id } = await checked();
  const published: unknown[] = [];
  context.events.on('listings', (ids) => published.push(ids));
  await context.events.catchUp();
  published.length = 0;
  await checkRegister({ context, hooks: registerHooks }, id);
  await context.events.catchUp();
  expect(JSON.stringify(published)).toContain(id);
});

test.each([
  ['another business’s', 'RUA ROOFING LIMITED', false, 'refused', /has this NZBN as “RUA ROOFING LIMITED”, which is another name/],
  ['a business’s that has ended', 'KINGI LIMITED', true, 'gone', /“KINGI LIMITED” is not in operation any more/],
  ['nobody’s', null, false, 'refused', /has no business with this NZBN/],
] as const)('a number that is %s gives no badge, and the seller is emailed the reason', async (_, name, ended, state, words) => {
  const number = newNzbn();
  registers.set(number, name && { name, ended });
  const { seen, own, seller, id } = await given.editedListing({ businessNumber: number });
  await runJobs();
  expect([(await seen()).verified, await isVerified(id)]).toEqual([[], false]);
  expect((await own()).registerCheck).toMatchObject({ state, registerName: name, checkedAt: expect.any(String) });
  const [mail, ...others] = await mailsAbout(seller.email);
  expect([mail?.blocks[0], others]).toEqual([{ kind: 'text', text: expect.stringMatching(words) }, []]);
});

test('removes the badge for a new business name or number, and keeps it for other edits', async () => {
  const { edit, seen, number, seller, id } = await checked();
  await edit({ serviceTitle: 'Hot water experts', businessNumber: number });
  expect((await seen()).verified).toHaveLength(1);
  await edit({ businessTitle: 'Rua Roofing' });
  expect([(await seen()).verified, await isVerified(id)]).toEqual([[], false]);
  await runJobs();
  expect((await seen()).verified).toEqual([]);
  expect(await mailsAbout(seller.email)).toHaveLength(1);
  await edit({ businessTitle: 'Kingi Plumbing' });
  await runJobs();
  expect((await seen()).verified).toHaveLength(1);
  const other = newNzbn();
  registers.set(other, { name: 'KINGI TWO LIMITED' });
  await edit({ businessTitle: 'Kingi Plumbing', businessNumber: other });
  expect((await seen()).verified).toEqual([]);
  await runJobs();
  expect((await seen()).verified).toMatchObject([{ number: other, name: 'KINGI TWO LIMITED' }]);
  await edit({ businessTitle: 'Kingi Plumbing', businessNumber: '' });
  await runJobs();
  expect((await seen()).verified).toEqual([]);
});

test('repeats the check after 90 days and removes the badge of a closed business', async () => {
  const { seen, number, seller } = await checked();
  const countRequests = () => registers.requested.filter((one) => one === number).length;
  // One minute longer, so that the duration of the test does not matter.
  const days = async (count: number) => {
    clock.set(new Date(clock.now().getTime() + count * 86_400_000 + 60_000));
    await startDueChecks(context);
    await runJobs();
  };
  const begun = clock.now();
  await days(89);
  expect(countRequests()).toBe(1);
  await days(1);
  const [again] = (await seen()).verified;
  expect([countRequests(), Math.round((Date.parse(again.date) - begun.getTime()) / 86_400_000)]).toEqual([2, 90]);
  registers.set(number, { name: 'KINGI LIMITED', ended: true });
  await days(90);
  expect([countRequests(), (await seen()).verified]).toEqual([3, []]);
  await days(90);
  // Emailed once.
  expect([countRequests(), (await mailsAbout(seller.email)).length]).toEqual([4, 1]);
  clock.set(begun);
});

test('repeats all checks that are due, also more than one batch holds', async () => {
  const all = [await checked(), await checked(), await checked()];
  const begun = clock.now();
  clock.set(new Date(begun.getTime() + 91 * 86_400_000));
  await startDueChecks(context, 1);
  await runJobs();
  for (const { number } of all) expect(registers.requested.filter((one) => one === number)).toHaveLength(2);
  clock.set(begun);
});

test.each([
  ['down', /fetch failed/],
  ['busy', /answered 503/],
  ['other-number', /register gave/],
  ['unknown-key', /answered 401|not recognised/],
] as const)('a register that is %s changes no badge, and the check is retried until it answers', async (fault, problem) => {
  for (const place of [undefined, perth]) {
    const number = place ? '33051775556' : newNzbn();
    registers.set(number, { name: 'KINGI LIMITED' });
    registers.setFault(fault);
    const { seen, own, id } = await given.editedListing({ businessNumber: number }, place);
    await expect(checkRegister({ context, hooks: {} as never }, id)).rejects.toThrow(problem);
    expect((await own()).registerCheck.state).toBe('claimed');
    registers.setFault(null);
    await runJobs();
    expect((await seen()).verified).toHaveLength(1);
    registers.setFault(fault);
    await expect(checkRegister({ context, hooks: {} as never }, id)).rejects.toThrow(problem);
    expect((await seen()).verified).toHaveLength(1);
    registers.setFault(null);
    await db.deleteFrom('register_checks').where('listing_id', '=', id).execute();
  }
});

test('checks only the check digit and shows no badge without a register key', async () => {
  const { registers: before } = context;
  try {
    context.registers = openRegisters({ nzbn: null, abn: null });
    const { own, seen, number } = await checked();
    expect(registers.requested).not.toContain(number);
    expect([(await own()).registerCheck, (await seen()).verified]).toMatchObject([{ state: 'valid', checkedAt: null }, []]);
  } finally {
    context.registers = before;
  }
});

test('reports a number used by two accounts on the site’s behalf, but not by several listings of one account', async () => {
  const first = await checked();
  const reportsOf = (id: string) => db.selectFrom('reports').select(['reporter_id', 'comment']).where('subject_id', '=', id).execute();
  const second = await given.editedListing({ businessNumber: first.number, serviceTitle: 'Somebody else' });
  await runJobs();
  expect(await reportsOf(second.id)).toEqual([
    { reporter_id: null, comment: `Another account gives the NZBN ${first.number} as well, for “Friendly local plumber”.` },
  ]);
  expect(await reportsOf(first.id)).toEqual([]);
  // A repeated check does not report it again.
  await checkRegister({ context, hooks: registerHooks }, second.id);
  expect(await reportsOf(second.id)).toHaveLength(1);

  const alone = newNzbn();
  registers.set(alone, { name: 'KINGI LIMITED' });
  const one = await given.editedListing({ businessNumber: alone });
  const other = await given.listing({ sellerId: one.seller._id });
  const { submissionId: _, servicePlan: __, ...form } = given.listingForm('basic', { businessNumber: alone });
  expect((await as(one.seller).putForm(`/listing/${other.id}`, form)).status).toBe(200);
  await runJobs();
  expect([await reportsOf(one.id), await reportsOf(other.id)]).toEqual([[], []]);
});

test('keeps the newer number of a listing edited during its check', async () => {
  const { edit, id, seen, own } = await checked();
  const other = newNzbn();
  registers.set(other, { name: 'KINGI OTHER LIMITED' });
  const { registers: before } = context;
  try {
    context.registers = {
      ...before,
      nzbn: before.nzbn && {
        sandbox: true,
        find: async (number) => {
          const entry = await before.nzbn?.find(number);
          await edit({ businessNumber: other });
          return entry ?? null;
        },
      },
    };
    await checkRegister({ context, hooks: registerHooks }, id);
  } finally {
    context.registers = before;
  }
  expect([(await seen()).verified, (await own()).registerCheck]).toMatchObject([[], { number: other, state: 'claimed' }]);
});

test('does not query for a deleted listing or one without a number', async () => {
  const { id } = await given.editedListing();
  const count = registers.requested.length;
  await checkRegister({ context, hooks: {} as never }, id);
  expect(registers.requested).toHaveLength(count);
});

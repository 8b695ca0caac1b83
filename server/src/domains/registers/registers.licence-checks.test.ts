import { sql } from 'kysely';
import { afterEach, expect, test } from 'vitest';
import { addDays, dayMs, getMoment } from '@handwise/contract/dates';
import { formatLicenceState } from '@handwise/contract/registers/checks';
import { testApp } from '@handwise/sandbox/testing/app';
import { registerHooks } from '../../composition/hooks.ts';
import { checkLicence, recordFinding, startDueLicenceChecks } from './registers.licence-checks.ts';
import { checkFinding, evaluateLicence } from './registers.licence-rules.ts';

const { db, given, callers, outbox, parts, registers } = await testApp();
const { as, asVisitor } = callers;
const { clock, context } = parts;
const { licences } = registers;
const begun = new Date();
afterEach(() => {
  licences.setFault(null);
  clock.set(new Date());
});

let made = 0;
const newNumber = () => `${200_000 + ++made}C`;
const sydney = { location: 'Sydney, New South Wales, Australia', serviceCategory: 'Electrical & Gas', serviceSubCategory: 'Electricians' };
const auckland = { location: 'Auckland, Auckland, New Zealand' };

async function publish(number: string, texts: Record<string, string> = sydney, holder = 'Mere Kingi') {
  const seller = await given.user();
  const country = texts['location']?.includes('Australia') ? 'AU' : 'NZ';
  const paymentId = await given.payment(seller, 'basic', country);
  const form = given.listingForm('basic', { paymentId, licenceNumber: number, licenceName: holder, ...texts });
  const { status, body } = await as(seller).postForm('/listing/create', form);
  if (status !== 201) throw new Error(JSON.stringify(body));
  const id = body._id as string;
  const edit = async (changes: Record<string, string>) => {
    const {
      submissionId: _,
      servicePlan: __,
      ...rest
    } = given.listingForm('basic', {
      ...texts,
      licenceNumber: number,
      licenceName: holder,
      ...changes,
    });
    return (await as(seller).putForm(`/listing/${id}`, rest)).status;
  };
  return {
    seller,
    id,
    edit,
    seen: async () => (await asVisitor.get(`/listing/${id}`)).body,
    own: async () => (await as(seller).get(`/listing/${id}`)).body,
  };
}
const mailsAbout = async ({ email }: { email: string }) =>
  (await outbox.mails()).filter(({ to, subject }) => to === email && subject.startsWith('Your listing no longer shows your licence'));
const decisionsOn = (id: string) => db.selectFrom('decisions').selectAll().where('about_id', '=', id).orderBy('created_at').execute();
const check = (id: string) => checkLicence({ context, hooks: registerHooks }, id);
async function passDays(days: number) {
  clock.set(new Date(clock.now().getTime() + days * dayMs + 60_000));
  await startDueLicenceChecks(context);
  await outbox.runJobs();
}

const record = { id: '1', number: '1C', holder: 'KINGI, MERE', className: '', status: 'Current', state: 'current', endsOn: null } as const;
test.each([
  [{}, 'valid'],
  [{ endsOn: '2027-03-01' }, 'valid'],
  [{ endsOn: '2027-02-28' }, 'ended'],
  [{ state: 'ended' }, 'ended'],
  [{ state: 'suspended' }, 'suspended'],
  [{ holder: 'RUA ROOFING PTY LTD' }, 'other_holder'],
  [{ holder: 'RUA ROOFING PTY LTD', state: 'ended' }, 'other_holder'],
] as const)('a record with %j on March 1, 2027 makes a claim %s', (change, state) =>
  expect(evaluateLicence({ ...record, ...change }, 'Mere Kingi', '2027-03-01')).toBe(state),
);

test('a licence that the register has is shown as checked, with the day', async () => {
  const number = newNumber();
  licences.set(number, { holder: 'KINGI, MERE', className: 'Electrician', endsOn: '31/12/2099' });
  const { seen, own } = await publish(number);
  expect((await seen()).licence).toMatchObject({ number, checkedAt: null });
  await outbox.runJobs();
  expect((await seen()).licence).toMatchObject({ number, checkedAt: expect.any(String), sandbox: true });
  expect((await own()).licenceCheck).toMatchObject({ state: 'valid', hidden: false, endsOn: '2099-12-31' });
});

test.each([
  ['ended', { holder: 'KINGI, MERE', status: 'Expired', endsOn: '30/06/2025' }, /ended on Jun 30, 2025/],
  ['ended', { holder: 'KINGI, MERE', status: 'Cancelled', endsOn: null }, /not current: “Cancelled”/],
  ['suspended', { holder: 'KINGI, MERE', status: 'Suspended' }, /is suspended/],
  ['other_holder', { holder: 'RUA ROOFING PTY LTD' }, /names another holder/],
] as const)('a licence that is %s is hidden at once, and its business told once, with a way to object', async (state, entry, reason) => {
  const number = newNumber();
  licences.set(number, entry);
  const { id, seller, seen, own } = await publish(number);
  await outbox.runJobs();
  expect((await seen()).licence).toBeNull();
  // The business still sees, and can change, what it stated.
  expect(await own()).toMatchObject({ licence: null, statedLicence: { number }, licenceCheck: { state, hidden: true } });
  const { body } = await asVisitor.get('/search?q=electrician&where=Sydney&licensed=1');
  expect(JSON.stringify(body)).not.toContain(id);
  expect(JSON.stringify((await asVisitor.get('/search?q=electrician&where=Sydney')).body)).toContain(id);
  const [mail, ...others] = await mailsAbout(seller);
  expect([JSON.stringify(mail?.blocks), others]).toEqual([expect.stringMatching(reason), []]);
  expect(JSON.stringify(mail)).not.toContain('RUA');
  const [decision] = await decisionsOn(id);
  expect(decision).toMatchObject({ kind: 'hide_licence', decided_by: null, concerned_id: seller._id });
  await check(id);
  expect([await mailsAbout(seller), await decisionsOn(id)]).toMatchObject([{ length: 1 }, { length: 1 }]);
});

test('an objection that is upheld shows the licence again as stated, and an administrator looks it up', async () => {
  const number = newNumber();
  licences.set(number, { holder: 'RUA ROOFING PTY LTD' });
  const { id, seller, seen } = await publish(number);
  await outbox.runJobs();
  const [decision] = await decisionsOn(id);
  expect((await as(seller).post(`/decisions/${decision?.id}/appeal`, { text: 'That is my maiden name.' })).status).toBeLessThan(300);
  const admin = await given.administrator();
  const { body } = await as(admin).get('/admin/appeals');
  const appeal = body.appeals.find((one: { decision: { _id: string } }) => one.decision._id === decision?.id);
  expect(appeal).toMatchObject({ decision: { by: null }, mayDecide: true });
  const answer = await as(admin).post(`/admin/appeals/${appeal._id}/decide`, { uphold: true, reason: 'It is the same person.' });
  expect(answer.status).toBe(200);
  expect((await seen()).licence).toMatchObject({ number, checkedAt: null });
  const queue = await as(admin).get('/admin/licences/queue');
  expect(queue.body.claims.map((one: { listingId: string }) => one.listingId)).toContain(id);
});

test.each(['down', 'busy', 'denied', 'no-token', 'odd', 'moved', 'huge'] as const)(
  'a register that is %s says neither that there is a licence nor that there is none',
  async (fault) => {
    const number = newNumber();
    licences.set(number, { holder: 'KINGI, MERE' });
    const { id, seller, seen, own } = await publish(number);
    licences.setFault(fault);
    // Otherwise the cached token would still do.
    if (fault === 'no-token') licences.endToken();
    await expect(check(id)).rejects.toThrow(/fetch failed|licence register/);
    expect((await seen()).licence).toMatchObject({ number, checkedAt: null });
    expect((await own()).licenceCheck).toMatchObject({ state: 'stated', hidden: false });
    licences.setFault(null);
    await check(id);
    expect((await seen()).licence.checkedAt).not.toBeNull();
    licences.setFault(fault);
    if (fault === 'no-token') licences.endToken();
    await expect(check(id)).rejects.toThrow(/fetch failed|licence register/);
    // What was found stands while it is valid.
    expect((await seen()).licence.checkedAt).not.toBeNull();
    expect(await mailsAbout(seller)).toEqual([]);
  },
);

test('an unknown status is no answer, and neither is a number that the register does not have', async () => {
  const number = newNumber();
  licences.set(number, { holder: 'KINGI, MERE', status: 'Under review' });
  const { id, seen } = await publish(number);
  await expect(check(id)).rejects.toThrow(/Under review/);
  expect((await seen()).licence).toMatchObject({ checkedAt: null });
  licences.set(number, null);
  await check(id);
  expect((await seen()).licence).toMatchObject({ checkedAt: null });
  const row = await db.selectFrom('licence_checks').selectAll().where('listing_id', '=', id).executeTakeFirstOrThrow();
  expect(row).toMatchObject({ state: 'stated', problem: 'not_found', queued_at: expect.any(Date) });
});

test('looks again after 90 days, and hides a licence that has ended by then', async () => {
  const number = newNumber();
  licences.set(number, { holder: 'KINGI, MERE' });
  const { seller, seen } = await publish(number);
  await outbox.runJobs();
  const count = () => licences.requested.filter((one) => one === number).length;
  await passDays(89);
  expect(count()).toBe(1);
  await passDays(1);
  expect(count()).toBe(2);
  licences.set(number, { holder: 'KINGI, MERE', status: 'Expired', endsOn: '30/06/2025' });
  await passDays(90);
  expect([count(), (await seen()).licence, (await mailsAbout(seller)).length]).toEqual([3, null, 1]);
});

test('looks again when a licence ends, and a renewed one stays', async () => {
  const number = newNumber();
  const inDays = (days: number) => new Date(Date.now() + days * dayMs).toISOString().slice(0, 10).split('-').toReversed().join('/');
  licences.set(number, { holder: 'KINGI, MERE', endsOn: inDays(10) });
  const { seen } = await publish(number);
  await outbox.runJobs();
  licences.set(number, { holder: 'KINGI, MERE', endsOn: inDays(375) });
  await passDays(12);
  expect(licences.requested.filter((one) => one === number)).toHaveLength(2);
  expect((await seen()).licence.checkedAt).not.toBeNull();
});

test('a check over 90 days old, or beyond the licence’s end, does not count, even before a job has run', async () => {
  const number = newNumber();
  licences.set(number, { holder: 'KINGI, MERE' });
  const { id, seen } = await publish(number);
  await outbox.runJobs();
  await db
    .updateTable('licence_checks')
    .set({ checked_at: new Date(begun.getTime() - 91 * dayMs) })
    .where('listing_id', '=', id)
    .execute();
  expect((await seen()).licence).toMatchObject({ number, checkedAt: null });
  await db
    .updateTable('licence_checks')
    .set({ checked_at: new Date(), ends_on: new Date(begun.getTime() - 2 * dayMs) })
    .where('listing_id', '=', id)
    .execute();
  expect((await seen()).licence).toMatchObject({ number, checkedAt: null });
});

test('a new number is checked anew; a hidden claim stays hidden until one is found valid', async () => {
  const [bad, good] = [newNumber(), newNumber()];
  licences.set(bad, { holder: 'KINGI, MERE', status: 'Expired' });
  licences.set(good, { holder: 'KINGI, MERE' });
  const { seen, edit } = await publish(bad);
  await outbox.runJobs();
  expect((await seen()).licence).toBeNull();
  expect(await edit({ licenceNumber: good })).toBe(200);
  expect((await seen()).licence).toBeNull();
  await outbox.runJobs();
  expect((await seen()).licence).toMatchObject({ number: good, checkedAt: expect.any(String) });
  expect(await edit({ licenceNumber: good, serviceTitle: 'Lights and power' })).toBe(200);
  // Another title needs no other check.
  expect((await seen()).licence.checkedAt).not.toBeNull();
});

test.each(['licenceNumber', 'licenceName'] as const)('a licence whose %s is changed during its check has its own check', async (field) => {
  const [first, changed] = [newNumber(), field === 'licenceNumber' ? newNumber() : 'Tama Rua'];
  licences.set(first, { holder: 'KINGI, MERE' });
  const { id, seen, edit } = await publish(first);
  const statuses: number[] = [];
  const { registers: before } = context;
  try {
    context.registers = {
      ...before,
      nsw: before.nsw && {
        sandbox: true,
        find: async (number) => {
          const found = await before.nsw?.find(number);
          statuses.push(await edit({ [field]: changed }));
          return found ?? null;
        },
      },
    };
    await check(id);
  } finally {
    context.registers = before;
  }
  expect([...statuses, (await seen()).licence.checkedAt]).toEqual([200, null]);
});

const found = {
  result: 'valid',
  holder: 'Mere Kingi',
  recordUrl: 'https://www.pgdb.co.nz/record/1',
  foundHolder: 'Mere Kingi',
  foundClass: 'Certifying plumber',
  foundStatus: 'Current',
  endsOn: '2099-03-31',
};

test('all licences that are due are looked up again, also more than one batch holds', async () => {
  const numbers = [newNumber(), newNumber(), newNumber()];
  for (const number of numbers) licences.set(number, { holder: 'KINGI, MERE' });
  for (const number of numbers) await publish(number);
  await outbox.runJobs();
  for (const number of numbers) licences.set(number, { holder: 'KINGI, MERE', status: 'Suspended' });
  clock.set(new Date(clock.now().getTime() + 91 * dayMs));
  await startDueLicenceChecks(context, 1);
  await outbox.runJobs();
  const states = await db.selectFrom('licence_checks').select('state').where('number', 'in', numbers).execute();
  expect(states.map(({ state }) => state)).toEqual(['suspended', 'suspended', 'suspended']);
});

test('licences that wait are on pages of twenty, the longest waiting first', async () => {
  await db.transaction().execute(async (tx) => {
    // Without their listings.
    await sql`set local session_replication_role = replica`.execute(tx);
    await sql`insert into licence_checks (listing_id, register, number, holder, state, check_at, queued_at)
      select uuidv7(), 'pgdb', 'page' || n, 'Mere Kingi', 'stated', now(), timestamptz '2020-01-01' + n * interval '1 hour'
      from generate_series(1, 25) as n`.execute(tx);
  });
  const admin = await given.administrator();
  const page = async (number: number) => (await as(admin).get(`/admin/licences/queue?page=${number}`)).body;
  const [first, second] = [await page(1), await page(2)];
  const numbersOf = ({ claims }: { claims: { number: string }[] }) => claims.map(({ number }) => number);
  const wanted = Array.from({ length: 25 }, (_, at) => `page${at + 1}`);
  expect(numbersOf(first)).toEqual(wanted.slice(0, 20));
  expect(numbersOf(second).slice(0, 5)).toEqual(wanted.slice(20));
  expect([second.currentPage, second.totalPages, first.total]).toEqual([2, Math.ceil(second.total / 20), second.total]);
  await db.deleteFrom('licence_checks').where('number', 'like', 'page%').execute();
});

test('a licence of another register waits for an administrator, who records what they found', async () => {
  const number = newNumber();
  const { id, seller, seen, own } = await publish(number, auckland);
  await outbox.runJobs();
  const admin = await given.administrator();
  const claims = async (by = admin) =>
    (await as(by).get('/admin/licences/queue')).body.claims.filter((one: { listingId: string }) => one.listingId === id);
  expect(await claims()).toMatchObject([
    { number, holder: 'Mere Kingi', class: 'Certifying plumber', page: 'https://www.pgdb.co.nz/', state: 'stated', problem: null },
  ]);
  const record = (changes: object = {}, by = admin) => as(by).post(`/admin/licences/queue/${id}`, { ...found, number, ...changes });
  for (const [field, value] of [
    ['recordUrl', ''],
    ['recordUrl', 'http://www.pgdb.co.nz/record/1'],
    ['recordUrl', 'https://10.0.0.1/'],
    ['recordUrl', 'javascript:alert(1)'],
    ['foundHolder', ''],
    ['foundStatus', ' '],
    ['endsOn', '2020-01-01'],
    ['result', 'good'],
  ] as const)
    expect(await record({ [field]: value })).toMatchObject({ status: 400, body: { errors: [{ field }] } });
  expect(await record({ number: 'other' })).toMatchObject({ status: 409, body: { code: 'licence_claim_changed' } });
  expect(await record()).toMatchObject({ status: 200 });
  expect(await claims()).toEqual([]);
  expect((await seen()).licence).toMatchObject({ number, checkedAt: expect.any(String), sandbox: false });
  expect((await own()).licenceCheck).toMatchObject({ state: 'valid', endsOn: '2099-03-31' });
  const row = await db.selectFrom('licence_checks').selectAll().where('listing_id', '=', id).executeTakeFirstOrThrow();
  expect(row).toMatchObject({
    record_url: found.recordUrl,
    found_holder: 'Mere Kingi',
    found_class: 'Certifying plumber',
    found_status: 'Current',
    checked_by: 'administrator',
    administrator_id: admin._id,
  });
  const entry = await db.selectFrom('audit_log').selectAll().where('subject_id', '=', row.id).executeTakeFirstOrThrow();
  expect(entry).toMatchObject({ actor_id: admin._id, what: 'licence_checks.update', after: { state: 'valid', found_status: 'Current' } });

  await passDays(90);
  // The session of the other one has ended.
  const colleague = await given.administrator();
  expect(await claims(colleague)).toHaveLength(1);
  expect((await seen()).licence).toMatchObject({ number, checkedAt: null });
  await record({ result: 'suspended', foundStatus: 'Suspended' }, colleague);
  expect([(await seen()).licence, (await mailsAbout(seller)).length]).toEqual([null, 1]);
  expect(await decisionsOn(id)).toMatchObject([{ kind: 'hide_licence', decided_by: colleague._id }]);
});

test('a licence that an administrator found ends on its day, and its business is told', async () => {
  const number = newNumber();
  const { id, seller, seen } = await publish(number, auckland);
  await outbox.runJobs();
  const admin = await given.administrator();
  const endsOn = new Date(Date.now() + 5 * dayMs).toISOString().slice(0, 10);
  await as(admin).post(`/admin/licences/queue/${id}`, { ...found, number, endsOn });
  await passDays(4);
  expect((await seen()).licence).not.toBeNull();
  await passDays(3);
  expect([(await seen()).licence, (await mailsAbout(seller)).length]).toEqual([null, 1]);
  // Nobody has looked, so nobody decided; it waits for somebody who does, because it may have been renewed.
  expect(await decisionsOn(id)).toMatchObject([{ kind: 'hide_licence', decided_by: null }]);
  const colleague = await given.administrator();
  const { claims } = (await as(colleague).get('/admin/licences/queue')).body;
  expect(claims).toContainEqual(expect.objectContaining({ listingId: id, number }));
  const renewed = new Date(Date.now() + 400 * dayMs).toISOString().slice(0, 10);
  await as(colleague).post(`/admin/licences/queue/${id}`, { ...found, number, endsOn: renewed });
  expect((await seen()).licence).toMatchObject({ number, checkedAt: expect.any(String) });
});

test('an administrator may say that a licence is current which ends today, and not one that ended yesterday', () => {
  const record = (endsOn: string) => () => checkFinding({ ...found, result: 'valid', number: '1', endsOn }, '2027-03-01');
  expect(record('2027-03-01')).not.toThrow();
  expect(record('2027-02-28')).toThrow('marked fields');
});

test('a licence counts on the whole of its last day where its register is', async () => {
  const number = newNumber();
  const { id, seen } = await publish(number, auckland);
  await outbox.runJobs();
  const endsOn = new Date(Date.now() + 5 * dayMs).toISOString().slice(0, 10);
  await as(await given.administrator()).post(`/admin/licences/queue/${id}`, { ...found, number, endsOn });
  clock.set(getMoment(endsOn, '23:59', 'Pacific/Auckland'));
  await check(id);
  expect((await seen()).licence).toMatchObject({ number, checkedAt: expect.any(String) });
  clock.set(getMoment(addDays(endsOn, 1), '00:00', 'Pacific/Auckland'));
  await check(id);
  expect((await seen()).licence).toBeNull();
});

test('“nothing under this number” leaves the queue, hides nothing, and stays known to the business and in the audit log', async () => {
  const number = newNumber();
  const { id, seen, own, edit } = await publish(number, auckland);
  await outbox.runJobs();
  const admin = await given.administrator();
  expect((await own()).licenceCheck).toMatchObject({ state: 'stated', problem: null, checkedAt: null });
  expect((await as(admin).post(`/admin/licences/queue/${id}`, { number, holder: 'Mere Kingi', result: 'not_found' })).status).toBe(200);
  expect((await seen()).licence).toMatchObject({ number, checkedAt: null });
  expect((await as(admin).get('/admin/licences/queue')).body.claims).not.toContainEqual(expect.objectContaining({ listingId: id }));
  const { licenceCheck } = await own();
  expect(licenceCheck).toMatchObject({ state: 'stated', hidden: false, problem: 'not_found', checkedAt: expect.any(String) });
  expect(formatLicenceState(licenceCheck)).toMatch(/nothing under this licence number/);
  const row = await db.selectFrom('licence_checks').selectAll().where('listing_id', '=', id).executeTakeFirstOrThrow();
  expect(row).toMatchObject({ checked_by: 'administrator', administrator_id: admin._id });
  const entry = await db.selectFrom('audit_log').selectAll().where('subject_id', '=', row.id).executeTakeFirstOrThrow();
  expect(entry).toMatchObject({ actor_id: admin._id, after: { problem: 'not_found' } });
  // Another number is another claim.
  expect(await edit({ licenceNumber: newNumber() })).toBe(200);
  expect((await own()).licenceCheck).toMatchObject({ problem: null, checkedAt: null });
});

test('“nothing under this number” ends what a check had found before', async () => {
  const number = newNumber();
  licences.set(number, { holder: 'KINGI, MERE', className: 'Electrician' });
  const { id, seen } = await publish(number);
  await outbox.runJobs();
  expect((await seen()).licence.checkedAt).not.toBeNull();
  await db.updateTable('licence_checks').set({ queued_at: new Date() }).where('listing_id', '=', id).execute();
  const admin = await given.administrator();
  await as(admin).post(`/admin/licences/queue/${id}`, { number, holder: 'Mere Kingi', result: 'not_found' });
  expect((await seen()).licence).toMatchObject({ number, checkedAt: null });
  const row = await db.selectFrom('licence_checks').selectAll().where('listing_id', '=', id).executeTakeFirstOrThrow();
  expect(row).toMatchObject({ state: 'stated', found_status: null, found_class: null });
});

test('“nothing under this number” leaves what is known of a licence that the register has hidden meanwhile', async () => {
  const number = newNumber();
  licences.set(number, { holder: 'KINGI, MERE', className: 'Electrician', status: 'Suspended' });
  const { id, seen } = await publish(number);
  const admin = await given.administrator();
  // The register answers after the administrator's form was read and before it is stored.
  const hooks = {
    ...registerHooks,
    lockBusiness: async (...args: Parameters<typeof registerHooks.lockBusiness>) => {
      await check(id);
      return registerHooks.lockBusiness(...args);
    },
  };
  const nothing = { recordUrl: '', foundHolder: '', foundClass: '', foundStatus: '', endsOn: '' };
  await recordFinding({ context, hooks }, admin._id, id, { number, holder: 'Mere Kingi', result: 'not_found', ...nothing });
  const row = await db.selectFrom('licence_checks').selectAll().where('listing_id', '=', id).executeTakeFirstOrThrow();
  expect(row).toMatchObject({ state: 'suspended', found_status: 'Suspended', found_class: 'Electrician', problem: 'not_found' });
  expect((await seen()).licence).toBeNull();
});

test('the class counts as the register’s only if the check noted it', async () => {
  const [known, unknown] = [newNumber(), newNumber()];
  licences.set(known, { holder: 'KINGI, MERE', className: 'Electrician' });
  const automatic = await publish(known);
  expect((await automatic.seen()).licence.classWords).toBe('Certifying plumber');
  await outbox.runJobs();
  expect((await automatic.seen()).licence).toMatchObject({ class: 'Certifying plumber', classWords: 'Electrician in the register' });
  const byHand = await publish(unknown, auckland);
  await outbox.runJobs();
  const admin = await given.administrator();
  await as(admin).post(`/admin/licences/queue/${byHand.id}`, { ...found, number: unknown, foundClass: '' });
  expect((await byHand.seen()).licence.classWords).toBe('stated as Certifying plumber, class not checked');
});

test('members do not see or answer the queue, and nobody their own licence', async () => {
  const number = newNumber();
  const { id, seller } = await publish(number, auckland);
  await outbox.runJobs();
  for (const caller of [as(seller), asVisitor]) {
    expect([401, 403]).toContain((await caller.get('/admin/licences/queue')).status);
    expect([401, 403]).toContain((await caller.post(`/admin/licences/queue/${id}`, { ...found, number })).status);
  }
  await given.administrator();
  await db.updateTable('users').set({ role: 'admin' }).where('id', '=', seller._id).execute();
  expect(await as(seller).post(`/admin/licences/queue/${id}`, { ...found, number })).toMatchObject({
    status: 403,
    body: { code: 'own_matter' },
  });
});

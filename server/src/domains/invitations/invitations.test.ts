import { sql } from 'kysely';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { dayMs } from '@handwise/contract/dates';
import { defaultSite } from '@handwise/contract/site/default-site';
import { site } from '@handwise/contract/site/site';
import { testApp } from '@handwise/sandbox/testing/app';
import { untilLockWaits } from '@handwise/sandbox/testing/lock-waits';
import { createMailChecks, createMailSources } from '../../composition/job-handlers.ts';
import { signUnsubscribeLinks } from '../../kit/mail/mail-preferences.ts';
import { createThrottledSender } from '../../kit/mail/mail-throttle.ts';
import { hashToken } from '../../kit/secrets/tokens.ts';
import { createAbuseKeys } from '../referrals/referrals.service.ts';
import { applyImport, deleteOldDryRuns } from './invitations.import.ts';
import { expireInvitations, getOwnInvitationData, remindOfInvitations } from './invitations.service.ts';

const { db, given, callers, outbox, parts } = await testApp();
const { as, asVisitor, from } = callers;
const { context } = parts;
const admin = await given.administrator();

const header = 'name,trade,place,phone,email,website,nzbn,abn,text,source';
const source = '"their website, 20 Nov 2026"';
const nzbn = '9429040188935';
let made = 0;
/** A business of its own, as a row. */
function aBusiness({ name = 'Kingi Plumbing', place = 'Taupō', nzbn = '', email = `office${(made += 1)}@business${made}.example` } = {}) {
  return { email, row: `${name},Plumbing,${place},07 345 6789,${email},,${nzbn},,,${source}` };
}

const upload = (rows: readonly string[], user = admin) =>
  as(user).postForm('/admin/imports', { country: 'NZ' }, [
    { field: 'file', name: 'businesses.csv', bytes: Buffer.from([header, ...rows].join('\n')) },
  ]);
const execute = (dryRun: { _id: string; fileHash: string }, more: object = {}) =>
  as(admin).post(`/admin/imports/${dryRun._id}/execute`, {
    fileHash: dryRun.fileHash,
    basis: 'published_address',
    isConfirmed: true,
    ...more,
  });
const get = async (id: string) => (await as(admin).get(`/admin/imports/${id}`)).body;

async function importRows(rows: readonly string[]) {
  const { body } = await upload(rows);
  expect((await execute(body)).status).toBe(202);
  await outbox.runJobs();
  return get(body._id);
}

const mailsTo = async (email: string) => (await outbox.mails()).filter(({ to }) => to === email);
const invitationOf = (mails: readonly { blocks: readonly object[]; end?: { oneClick: string; page: string } }[]) =>
  mails.map((mail) => ({
    token: new URL(mail.blocks.flatMap((block) => ('url' in block ? [String(block.url)] : []))[0] ?? '').searchParams.get('token') ?? '',
    refusal: new URL(mail.end?.oneClick ?? '').searchParams.get('token') ?? '',
  }));
async function invite(options: Parameters<typeof aBusiness>[0] = {}) {
  const { email, row } = aBusiness(options);
  await importRows([row]);
  const [invitation] = invitationOf(await mailsTo(email));
  return { email, row, token: invitation?.token ?? '', refusal: invitation?.refusal ?? '' };
}
const claim = (user: { token: string }, token: string) => as(user).post('/invitations/claim', { token });
const later = (days: number) => ({ ...context, clock: { now: () => new Date(Date.now() + days * dayMs) } });

test('a dry run says what would happen to each row, and invites no one', async () => {
  const member = await given.user();
  const invited = await invite();
  const refused = await invite();
  await asVisitor.post(`/invitations/refuse?token=${refused.refusal}`);
  const fresh = aBusiness({ place: 'ponsonby' });
  const before = (await outbox.mails()).length;
  const rows = [fresh.row, fresh.row, aBusiness({ email: member.email }).row, invited.row, refused.row, 'Kingi,Alchemy,Taupō,,no,,,,'];
  const { status, body } = await upload(rows);
  expect(status).toBe(201);
  expect(body).toMatchObject({
    rows: 6,
    counts: { invite: 1, duplicate: 1, member: 1, invited: 1, refused: 1, invalid: 1 },
    executedAt: null,
    applied: 0,
  });
  const list = await as(admin).get(`/admin/imports/${body._id}/rows?limit=4&page=2`);
  expect(list.body).toMatchObject({
    total: 6,
    totalPages: 2,
    rows: [
      { line: 6, outcome: 'refused' },
      { line: 7, outcome: 'invalid' },
    ],
  });
  const invalid = await as(admin).get(`/admin/imports/${body._id}/rows?outcome=invalid`);
  expect(invalid.body.rows).toMatchObject([
    {
      name: 'Kingi',
      email: null,
      place: null,
      problems: [
        { column: 'email', value: 'no' },
        { column: 'trade', value: 'Alchemy' },
      ],
    },
  ]);
  const planned = await as(admin).get(`/admin/imports/${body._id}/rows?outcome=invite`);
  expect(planned.body.rows).toMatchObject([{ name: 'Kingi Plumbing', email: fresh.email, place: 'Ponsonby, Auckland' }]);
  const errors = await as(admin).get(`/admin/imports/${body._id}/errors`);
  expect(errors.body).toBe(
    '\ufeffline,business,column,value,problem\r\n7,Kingi,email,no,This is not an email address\r\n' +
      '7,Kingi,trade,Alchemy,"Use the name of a category or sub-category, or of a trade such as Plumber"\r\n',
  );
  await outbox.runJobs();
  expect(await outbox.mails()).toHaveLength(before);
});

test('the file of problems names every row that cannot be imported', async () => {
  const { body } = await upload(Array.from({ length: 60 }, (_, index) => `Kingi ${index},Plumbing,Taupō,,no,,,,`));
  const lines = String((await as(admin).get(`/admin/imports/${body._id}/errors`)).body)
    .trim()
    .split('\r\n');
  expect([lines.length, lines.at(-1)]).toEqual([61, '61,Kingi 59,email,no,This is not an email address']);
});

test('forgets what refused rows said once the import is executed', async () => {
  const { body } = await upload([aBusiness().row, 'Kingi,Alchemy,Taupō,,no@where.example,,,,']);
  expect((await execute(body)).status).toBe(202);
  await outbox.runJobs();
  const { rows } = (await as(admin).get(`/admin/imports/${body._id}/rows?outcome=invalid`)).body;
  expect(rows).toMatchObject([{ line: 3, name: null, problems: [{ column: 'trade', value: '' }] }]);
  const stored = await sql<{
    text: string;
  }>`select one::text as text from invitation_import_rows as one where import_id = ${body._id}`.execute(db);
  expect(JSON.stringify(stored.rows)).not.toContain('Alchemy');
});

test('maps the columns of a file whose header is not ours', async () => {
  const email = aBusiness().email;
  const file = { field: 'file', name: 'a.csv', bytes: Buffer.from(`Business name;Town;E-mail\r\nKingi;Taupō;${email}\r\n`) };
  const columns = await as(admin).postForm('/admin/imports/columns', { country: 'NZ' }, [file]);
  expect(columns.body).toMatchObject({ recognised: { name: 'business name', place: 'town', email: 'e-mail' }, missing: ['trade'] });
  expect((await as(admin).postForm('/admin/imports', { country: 'NZ' }, [file])).body.errors).toEqual([
    { field: 'file', message: 'Add the columns that are missing: trade' },
  ]);
  const form = { country: 'NZ', columns: JSON.stringify(columns.body.recognised), trade: 'Plumber' };
  expect((await as(admin).postForm('/admin/imports', form, [file])).body).toMatchObject({ rows: 1, counts: { invite: 1 } });
  for (const wrong of ['no', '[]', '{"price":"Town"}', '{"name":1}']) {
    expect((await as(admin).postForm('/admin/imports', { ...form, columns: wrong }, [file])).body.errors).toMatchObject([
      { field: 'columns' },
    ]);
  }
});

test('rejects a file that is none, and an import without a file', async () => {
  expect((await upload([])).body.code).toBe('invalid_input');
  expect((await as(admin).postForm('/admin/imports', { country: 'NZ' }, [])).status).toBe(400);
  const large = Buffer.alloc(5_000_001, 'a');
  const answer = await as(admin).postForm('/admin/imports', { country: 'NZ' }, [{ field: 'file', name: 'a.csv', bytes: large }]);
  expect(answer.body.code).toBe('file_too_large');
});

test('executes only the file that was looked at, with a basis that is confirmed', async () => {
  const { body } = await upload([aBusiness().row]);
  expect((await execute(body, { fileHash: 'a'.repeat(64) })).body.code).toBe('import_file_differs');
  expect((await execute(body, { isConfirmed: false })).body.code).toBe('invalid_input');
  expect((await execute(body, { basis: 'guess' })).body.code).toBe('invalid_input');
  expect(await get(body._id)).toMatchObject({ executedAt: null });
});

test('a published address is a basis only with its source in each row; other bases need none', async () => {
  const [found, unknown] = [aBusiness(), aBusiness()];
  const { body } = await upload([found.row, unknown.row.replace(source, '')]);
  expect(body.counts.invite).toBe(2);
  const refused = await execute(body);
  expect(refused).toMatchObject({ status: 400, body: { errors: [{ field: 'basis', message: expect.stringContaining('1 row') }] } });
  expect(await get(body._id)).toMatchObject({ executedAt: null, basis: null });
  expect((await execute(body, { basis: 'consent' })).status).toBe(202);
  await outbox.runJobs();
  expect(JSON.stringify(await mailsTo(found.email))).toContain('We have your details from their website, 20 Nov 2026.');
  expect(JSON.stringify(await mailsTo(unknown.email))).not.toContain('We have your details');
});

test('the page of an invitation says where its data came from', async () => {
  const { token } = await invite();
  expect((await callers.asVisitor.post('/invitations/show', { token })).body.source).toBe('their website, 20 Nov 2026');
});

test('an execution invites each business once, by one email with its reason and its links', async () => {
  const business = aBusiness({ name: '<b>Kingi</b>' });
  const done = await importRows([business.row]);
  expect(done).toMatchObject({ applied: 1, counts: { invite: 1 }, basis: 'published_address', finishedAt: expect.any(String) });
  const [mail, ...others] = await mailsTo(business.email);
  expect(others).toEqual([]);
  expect(JSON.stringify(mail)).toContain('you publish this address for enquiries about your business');
  expect(JSON.stringify(mail)).toContain('We have your details from their website, 20 Nov 2026.');
  expect(mail?.end?.page).toContain('/invitation/end?token=');
  const audited = await db
    .selectFrom('audit_log')
    .select(['what', 'actor_id'])
    .where('subject_id', '=', done._id)
    .orderBy('number')
    .execute();
  expect(audited).toEqual([
    { what: 'invitation_imports.insert', actor_id: admin._id },
    { what: 'invitation_imports.update', actor_id: admin._id },
  ]);
  const rows = await db.selectFrom('invitation_import_rows').select('draft').where('import_id', '=', done._id).execute();
  expect(rows).toEqual([{ draft: null }]);
});

test('the same file, execution or job twice changes nothing', async () => {
  const business = aBusiness();
  const done = await importRows([business.row]);
  expect((await execute(done)).body.executedAt).toBe(done.executedAt);
  await applyImport(context, done._id);
  expect(await importRows([business.row])).toMatchObject({ counts: { invite: 0, invited: 1 } });
  expect(await mailsTo(business.email)).toHaveLength(1);
});

test('two dry runs of a business that are executed together invite it once', async () => {
  const business = aBusiness();
  const [one, two] = [(await upload([business.row])).body, (await upload([business.row])).body];
  await Promise.all([execute(one), execute(two)]);
  await Promise.all([one, two].map(({ _id }) => applyImport(context, _id)));
  expect(await mailsTo(business.email)).toHaveLength(1);
  const outcomes = [(await get(one._id)).counts, (await get(two._id)).counts];
  expect(outcomes.reduce((sum, counts) => sum + counts.invite, 0)).toBe(1);
});

test('businesses that another import invites meanwhile count as invited, in whichever order the files have them', async () => {
  const keys = await createAbuseKeys(db);
  const sorted = [aBusiness(), aBusiness()]
    .map((one) => ({ ...one, key: keys.ofMailbox(one.email) }))
    .toSorted((one, other) => (one.key < other.key ? -1 : 1));
  const { body } = await upload(sorted.map(({ row }) => row).toReversed());
  await execute(body);
  const other = await db.startTransaction().execute();
  const inviteElsewhere = ({ key, email }: { key: string; email: string }) =>
    other
      .insertInto('invitations')
      .values({ mailbox_key: key, basis: 'consent', status: 'refused', draft: null, token_hash: hashToken(email), created_at: new Date() })
      .execute();
  const [first, second] = sorted;
  if (!first || !second) throw new Error('two businesses are needed');
  await inviteElsewhere(first);
  const applied = applyImport(context, body._id);
  await untilLockWaits(db);
  // A deadlock if the import had the second one already.
  await inviteElsewhere(second);
  await other.commit().execute();
  await applied;
  expect((await get(body._id)).counts).toMatchObject({ invite: 0, invited: 2 });
  for (const { email } of sorted) expect(await mailsTo(email)).toEqual([]);
});

test('drafts from before a town was stored can be listed and accepted', async () => {
  const withoutBase = sql`draft - 'base'`;
  const { body } = await upload([aBusiness().row]);
  await sql`update invitation_import_rows set draft = ${withoutBase} where import_id = ${body._id}`.execute(db);
  const { rows } = (await as(admin).get(`/admin/imports/${body._id}/rows`)).body;
  expect(rows).toMatchObject([{ place: 'Taupō, Waikato' }]);
  const { email, token } = await invite();
  await sql`update invitations set draft = ${withoutBase} where mailbox_key = ${(await createAbuseKeys(db)).ofMailbox(email)}`.execute(db);
  const { status, body: claimed } = await claim(await given.member(), token);
  expect([status, claimed.draft.district, claimed.draft.base]).toEqual([200, 'Taupō', undefined]);
});

test('never again holds for other spellings of the mailbox and for later imports', async () => {
  const { email, refusal } = await invite();
  const answer = await refuse(refusal);
  expect([answer.status, answer.body]).toEqual([200, { isRefused: true }]);
  expect((await refuse(refusal)).status).toBe(200);
  const [name, host] = email.split('@');
  const again = await importRows([aBusiness({ email: `${name?.toUpperCase()}+x@${host}` }).row]);
  expect(again.counts).toMatchObject({ refused: 1, invite: 0 });
  await expect(db.deleteFrom('invitation_refusals').execute()).rejects.toThrow('only added to');
  const rows = await db.selectFrom('invitations').select(['draft', 'status']).where('status', '=', 'refused').execute();
  expect(rows.every(({ draft }) => draft === null)).toBe(true);
});
const refuse = (token: string) => asVisitor.post(`/invitations/refuse?token=${token}`);

test('an email that waits is not sent once its invitation was refused, accepted or is over', async () => {
  const sent: string[] = [];
  const send = createThrottledSender({
    db,
    mailer: { send: async ({ to }) => void sent.push(to) },
    logger: pino({ level: 'silent' }),
    checks: createMailChecks(context),
    sources: createMailSources(context),
  });
  const [open, refused, accepted, expired, old] = [await invite(), await invite(), await invite(), await invite(), await invite()];
  await remindOfInvitations(later(8));
  await refuse(refused.refusal);
  await claim(await given.member(), accepted.token);
  const created = (days: number) => ({ created_at: new Date(Date.now() - days * dayMs) });
  const age = (token: string) => db.updateTable('invitations').set(created(61)).where('token_hash', '=', hashToken(token)).execute();
  await age(expired.token);
  await expireInvitations(context);
  await age(old.token);
  for (const { email } of [open, refused, accepted, expired, old]) {
    const waiting = await mailsTo(email);
    expect(waiting).toHaveLength(2);
    for (const mail of waiting) await send(mail, 'id');
  }
  expect(sent).toEqual([open.email, open.email]);
});

test('never again needs the link of an invitation', async () => {
  const { refusal } = await invite();
  for (const wrong of [
    `x${refusal.slice(1)}`,
    refusal.replace('invitation', 'figures'),
    `${refusal.slice(0, -1)}${refusal.endsWith('0') ? 1 : 0}`,
  ]) {
    expect((await refuse(wrong)).body.code).toBe('link_not_valid');
  }
});

test('reminds once after 7 days, unless the invitation was answered or refused', async () => {
  const [silent, answered, refused] = [await invite(), await invite(), await invite()];
  await claim(await given.member(), answered.token);
  await refuse(refused.refusal);
  await remindOfInvitations(later(6.9));
  expect(await mailsTo(silent.email)).toHaveLength(1);
  await Promise.all([remindOfInvitations(later(7.1)), remindOfInvitations(later(7.1))]);
  await remindOfInvitations(later(20));
  const mails = await mailsTo(silent.email);
  expect(mails).toHaveLength(2);
  expect(mails[1]?.subject).toContain('Reminder');
  for (const { token } of invitationOf(mails)) expect((await asVisitor.post('/invitations/show', { token })).status).toBe(200);
  for (const { email } of [answered, refused]) expect(await mailsTo(email)).toHaveLength(1);
});

test('all businesses of a file are invited and reminded, also more than one batch holds', async () => {
  const all = [aBusiness(), aBusiness(), aBusiness()];
  const { body } = await upload(all.map(({ row }) => row));
  expect((await execute(body)).status).toBe(202);
  await applyImport(context, body._id, 1);
  expect(await get(body._id)).toMatchObject({ counts: { invite: 3 }, applied: 3, finishedAt: expect.any(String) });
  await remindOfInvitations(later(7.1), 1);
  for (const { email } of all) expect((await mailsTo(email)).map(({ subject }) => subject.startsWith('Reminder'))).toEqual([false, true]);
});

test('imports are listed newest first', async () => {
  const ids = [];
  for (let at = 0; at < 2; at += 1) ids.push((await upload([aBusiness().row])).body._id);
  const { imports } = (await as(admin).get('/admin/imports')).body;
  expect(imports.slice(0, 2).map(({ _id: id }: { _id: string }) => id)).toEqual(ids.toReversed());
});

test('no one is invited to or reminded of a trade or country that is closed, whenever it closes', async () => {
  onTestFinished(() => void Object.assign(site, defaultSite));
  const [planned, waiting, silent] = [aBusiness(), await invite(), await invite()];
  const { body } = await upload([planned.row]);
  await remindOfInvitations(later(8));
  const silentLater = await invite();
  const isOpen = (email: string) => createAbuseKeys(db).then((keys) => createMailChecks(context).invitation_open(keys.ofMailbox(email)));
  expect(await isOpen(waiting.email)).toBe(true);
  const before = (await outbox.mails()).length;
  for (const closed of [{ closedTrades: 'plumbing' }, { closedTrades: '', closedCountries: 'NZ' }]) {
    Object.assign(site, closed);
    expect(await isOpen(waiting.email)).toBe(false);
    await remindOfInvitations(later(9));
    if ('closedCountries' in closed) continue;
    expect((await upload([aBusiness().row])).body.counts).toMatchObject({ invite: 0, closed: 1 });
    await execute(body);
    await outbox.runJobs();
    expect(await get(body._id)).toMatchObject({ counts: { invite: 0, closed: 1 }, finishedAt: expect.any(String) });
  }
  expect(await outbox.mails()).toHaveLength(before);
  expect(await mailsTo(silent.email)).toHaveLength(2);
  expect(await mailsTo(silentLater.email)).toHaveLength(1);
  Object.assign(site, defaultSite);
  // Nothing was written to it, so that a later import may.
  expect((await upload([planned.row])).body.counts).toMatchObject({ invite: 1 });
});

test('deletes unanswered drafts after 60 days, and does not invite the business again', async () => {
  const { token, row } = await invite();
  const [dryRun, done] = [(await upload([aBusiness().row])).body, await importRows([aBusiness().row])];
  await expireInvitations(later(59.9));
  expect((await asVisitor.post('/invitations/show', { token })).status).toBe(200);
  await expireInvitations(later(60.1));
  await deleteOldDryRuns(later(1.1));
  expect((await asVisitor.post('/invitations/show', { token })).body.code).toBe('link_not_valid');
  expect((await as(admin).get(`/admin/imports/${dryRun._id}`)).body.code).toBe('import_not_found');
  expect(await get(done._id)).toEqual(done);
  expect((await importRows([row])).counts).toMatchObject({ invited: 1 });
  const left = await db.selectFrom('invitations').select('id').where('draft', 'is not', null).where('status', '=', 'open').execute();
  expect(left).toEqual([]);
});

test('an account that accepts gets the draft; another one and a visitor do not', async () => {
  const { token, email } = await invite();
  expect((await asVisitor.post('/invitations/show', { token })).body).toMatchObject({ businessName: 'Kingi Plumbing', email });
  expect((await asVisitor.post('/invitations/claim', { token })).body.code).toBe('not_authenticated');
  const [one, two] = [await given.member(), await given.member()];
  const answers = await Promise.all([claim(one, token), claim(two, token)]);
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 400]));
  const [winner, loser] = answers[0]?.status === 200 ? [one, two] : [two, one];
  expect((await claim(winner, token)).body.draft).toMatchObject({ email, district: 'Taupō', category: 'Plumbing' });
  for (const other of [asVisitor, as(loser)]) {
    const { status, body } = await other.post('/invitations/show', { token });
    expect(status).toBe(400);
    expect(JSON.stringify(body)).not.toContain(email);
  }
  expect((await claim(loser, token)).body.code).toBe('link_not_valid');
  expect((await asVisitor.post('/invitations/show', { token })).body.code).toBe('link_not_valid');
  const grants = await db.selectFrom('free_month_grants').select('user_id').where('user_id', 'in', [one._id, two._id]).execute();
  expect(grants).toEqual([{ user_id: winner._id }]);
});

test('limits how many links a network can guess', async () => {
  const guess = () => from('198.51.100.7').post('/invitations/show', { token: 'a'.repeat(43) });
  for (let count = 0; count < 20; count += 1) expect((await guess()).body.code).toBe('link_not_valid');
  expect((await guess()).body.code).toBe('too_many_requests');
});

const publish = (user: { token: string }, more: Record<string, string> = {}) =>
  as(user).postForm('/listing/create', given.listingForm('basic', more), []);

test('an accepted invitation makes the first month free, once per mailbox', async () => {
  const user = await given.confirmed(await given.user({ email: 'kingi@free.example' }));
  expect((await publish(user)).body.code).toBe('payment_required');
  await claim(user, (await invite()).token);
  expect((await publish(user)).status).toBe(201);
  const second = await given.confirmed(await given.user({ email: 'kingi+two@free.example' }));
  await claim(second, (await invite()).token);
  expect((await publish(second)).body.code).toBe('payment_required');
});

test('a business number that was invited has one free month, also after the account is deleted', async () => {
  const user = await given.member();
  await claim(user, (await invite({ nzbn })).token);
  // Without the number in the listing: the invitation's counts.
  expect((await publish(user)).status).toBe(201);
  expect((await as(user).delete('/auth/account', { currentPassword: 'correct-horse' })).status).toBe(200);
  expect((await db.selectFrom('free_month_grants').select('user_id').where('user_id', '=', user._id).execute()).length).toBe(0);
  const other = await given.member();
  await claim(other, (await invite()).token);
  expect((await publish(other, { businessNumber: nzbn })).body.code).toBe('payment_required');
});

test('an accepted invitation is in the export of its account, and its draft goes with the account', async () => {
  const user = await given.member();
  const { email, token } = await invite();
  await claim(user, token);
  expect((await claim(user, token)).body.draft.email).toBe(email);
  expect((await as(user).post('/invitations/show', { token })).body.businessName).toBe('Kingi Plumbing');
  const { lists } = getOwnInvitationData(db, user._id);
  expect(await lists?.['invitations']?.()).toMatchObject([{ draft: { email }, basis: 'published_address' }]);
  expect((await as(user).delete('/auth/account', { currentPassword: 'correct-horse' })).status).toBe(200);
  const left = await db.selectFrom('invitations').select('draft').where('claimed_by', '=', user._id).execute();
  expect(left).toEqual([{ draft: null }]);
});

test('premium needs a saved card for the free month of an invitation', async () => {
  const user = await given.member();
  await claim(user, (await invite()).token);
  const answer = await as(user).postForm('/listing/create', given.listingForm('premium'), []);
  expect(answer.body.code).toBe('card_needed');
});

test('only administrators import', async () => {
  const member = await given.member();
  expect((await upload([aBusiness().row], member)).status).toBe(403);
  const { body } = await upload([aBusiness().row]);
  for (const path of ['', '/rows', '/errors']) expect((await as(member).get(`/admin/imports/${body._id}${path}`)).status).toBe(403);
  expect((await as(member).post(`/admin/imports/${body._id}/execute`, {})).status).toBe(403);
});

test('never again takes no link of another kind, and leaves an accepted draft alone', async () => {
  const linksOf = await signUnsubscribeLinks(db, { oneClick: 'https://site.example', page: 'https://site.example' });
  const other = new URL(linksOf(`${'a'.repeat(32)}.figures`).oneClick).searchParams.get('token') ?? '';
  expect((await refuse(other)).body.code).toBe('link_not_valid');
  const user = await given.member();
  const { token, refusal } = await invite();
  await claim(user, token);
  expect((await refuse(refusal)).status).toBe(200);
  expect((await claim(user, token)).status).toBe(200);
});

test('an invitation is over after 60 days, also before its data is deleted', async () => {
  const { email, token } = await invite();
  await db
    .updateTable('invitations')
    .set({ created_at: new Date(Date.now() - 61 * dayMs) })
    .where('token_hash', '=', hashToken(token))
    .execute();
  expect((await asVisitor.post('/invitations/show', { token })).body.code).toBe('link_not_valid');
  expect((await claim(await given.member(), token)).body.code).toBe('link_not_valid');
  await remindOfInvitations(context);
  expect(await mailsTo(email)).toHaveLength(1);
});

test('a business number is invited once, also with another mailbox', async () => {
  const number = '9429061000018';
  const [one, two, three] = [aBusiness({ nzbn: number }), aBusiness({ nzbn: number }), aBusiness({ nzbn: number })];
  expect((await importRows([one.row, two.row])).counts).toMatchObject({ invite: 1, duplicate: 1 });
  expect((await upload([three.row])).body.counts).toMatchObject({ invite: 0, invited: 1 });
  expect((await importRows([three.row])).counts).toMatchObject({ invite: 0, invited: 1 });
  expect((await outbox.mails()).filter(({ to }) => [one, two, three].some(({ email }) => email === to))).toHaveLength(1);
});

test('a business that has joined by itself gets no reminder', async () => {
  const { email, token } = await invite();
  const { _id } = await given.user({ email });
  await remindOfInvitations(later(8));
  // Also not if its account has another address later.
  await db
    .updateTable('users')
    .set({ email: `other-${email}` })
    .where('id', '=', _id)
    .execute();
  await remindOfInvitations(later(9));
  expect((await mailsTo(email)).filter(({ subject }) => subject.startsWith('Reminder'))).toEqual([]);
  expect((await asVisitor.post('/invitations/show', { token })).status).toBe(200);
});

test('a business whose address has capitals in the file gets no reminder after it has joined', async () => {
  const { email } = await invite({ email: 'Office.Manager@Capital-Plumbing.example' });
  expect(await mailsTo(email)).toHaveLength(1);
  await given.user({ email: email.toLowerCase() });
  await remindOfInvitations(later(8));
  expect(await mailsTo(email)).toHaveLength(1);
});

test('a business with a listing is a member by its address and by its number', async () => {
  const { id } = await given.listing();
  const [byAddress, byNumber] = [aBusiness(), aBusiness({ nzbn: '9429053785237' })];
  const columns = { business_email: byAddress.email.toUpperCase(), business_number: '9429053785237' };
  await db.updateTable('listings').set(columns).where('id', '=', id).execute();
  expect((await upload([byAddress.row, byNumber.row])).body.counts).toMatchObject({ member: 2, invite: 0 });
  // It publishes after the dry run of a file that is applied in two batches.
  const later = aBusiness();
  const { body } = await upload([...Array.from({ length: 500 }, () => aBusiness().row), later.row]);
  await db.updateTable('listings').set({ business_email: later.email }).where('id', '=', id).execute();
  await execute(body);
  await applyImport(context, body._id);
  expect(await get(body._id)).toMatchObject({ counts: { member: 1, invite: 500 }, finishedAt: expect.any(String) });
  expect(await mailsTo(later.email)).toEqual([]);
});

test('a number whose month was taken makes no other plan free', async () => {
  const number = '9429053872258';
  const [first, second] = [await given.member(), await given.member()];
  await claim(second, (await invite({ nzbn: number })).token);
  const intent = () => as(second).post('/plan-user/create-intent', { planId: given.listingForm('basic').servicePlan, country: 'NZ' });
  expect((await intent()).body.amount).toBe(0);
  await claim(first, (await invite()).token);
  expect((await publish(first, { businessNumber: number })).status).toBe(201);
  expect((await intent()).body.amount).toBe(1500);
});

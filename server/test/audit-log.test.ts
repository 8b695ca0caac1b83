import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { testDatabase, insertRows } from '@handwise/sandbox/testing/database';
import { listingRow } from '@handwise/sandbox/testing/listing';
import { runAudits, hasHead } from '../src/composition/audit.ts';
import { openDatabase } from '../src/kit/database/database.ts';
import { setAuditActor } from '../src/kit/database/sql-helpers.ts';

const { url } = await testDatabase();
const { db, close } = openDatabase({ url, connections: 8, onIdleError: () => {} });
/** A user with a database client. */
const byHand = new pg.Client({ connectionString: url, application_name: 'psql' });
await byHand.connect();
afterAll(async () => {
  await byHand.end();
  await close();
});

type Entry = { what: string; subject_id: string; program: string; actor_id: string | null; before: unknown; after: unknown };
const one = async (text: string) => (await byHand.query<{ id: string }>(text)).rows[0]?.id ?? '';
const lastNumber = async () => Number((await byHand.query<{ number: string }>('select number from audit_head')).rows[0]?.number);
const entriesAfter = async (number: number) =>
  (
    await byHand.query<Entry>(
      'select what, subject_id, program, actor_id, before, after from audit_log where number > $1 order by number',
      [number],
    )
  ).rows;

const user = await one(`insert into users (full_name, username, email, password_hash, referral_code)
  values ('Mere Kingi', 'mere_k', 'mere@example.org', 'x', 'REF-MER-0001') returning id`);
const plan = await one(`select id from plans where plan_type = 'basic'`);
const subscriptionValues = `'${user}', '${plan}', 'NZ', 'grant', 5, now(), now() + interval '30 days'`;
const newSubscription = `insert into subscriptions (user_id, plan_id, country, source, slots, starts_at, ends_at) values (${subscriptionValues}) returning id`;
const subscription = await one(newSubscription);
const newListing = async () => {
  await insertRows(byHand, 'listings', [listingRow({ id: subscription, user_id: user, ends_at: new Date(Date.now() + 30 * 86_400_000) })]);
  return one('select id from listings order by listing_number desc limit 1');
};
const listing = await newListing();
const doomed = await newListing();
const payment = await one(`insert into payments (user_id, purpose, plan_id, country, amount_minor, currency)
  values ('${user}', 'listing', '${plan}', 'NZ', 1500, 'NZD') returning id`);
/** A payment that is refunded. */
const returned = randomUUID();
const refund = `begin; insert into payments (id, user_id, purpose, plan_id, country, amount_minor, currency, status, succeeded_at, captured_minor)
  values ('${returned}', '${user}', 'listing', '${plan}', 'NZ', 1500, 'NZD', 'succeeded', now(), 1500);
  insert into refunds (payment_id, amount_minor, source, reason) values ('${returned}', 1500, 'nothing_to_buy', 'Late.'); commit`;
const review = (listingId: string) =>
  `insert into reviews (listing_id, author_id, rating, comment) values ('${listingId}', '${user}', 5, 'Tidy.') returning id`;

const newPasskey = `insert into passkeys (user_id, credential_id, public_key, counter, transports, rp_id, name)
  values ('${user}', 'AAAA', 'key', 1, '{}', 'localhost', 'Phone')`;

/** The log entries of SQL statements typed by hand. */
async function loggedBy(statements: string) {
  const before = await lastNumber();
  await byHand.query(statements);
  return entriesAfter(before);
}

const ofUser = (assignment: string) => `update users set ${assignment} where id = '${user}'`;
const ofListing = (assignment: string) => `update listings set ${assignment} where id = '${listing}'`;

test.each<[string, string, string, object]>([
  ['a new role', ofUser("role = 'admin'"), 'users.update', { before: { role: 'user' }, after: { role: 'admin' } }],
  ['the loss of a role', ofUser("role = 'user'"), 'users.update', { before: { role: 'admin' }, after: { role: 'user' } }],
  ['a suspension', ofUser("suspended_at = '2026-01-01Z'"), 'users.update', { before: { suspended_at: null } }],
  ['the end of a suspension', ofUser('suspended_at = null'), 'users.update', { after: { suspended_at: null } }],
  ['a deletion by its owner', ofUser("deleted_at = '2026-01-01Z'"), 'users.update', { before: { deleted_at: null } }],
  ['the return of an account', ofUser('deleted_at = null'), 'users.update', { after: { deleted_at: null } }],
  ['another address of mail', ofUser("email = 'mere@other.example'"), 'users.update', { before: null, after: { email: 'changed' } }],
  ['another password', ofUser("password_hash = 'y'"), 'users.update', { before: null, after: { password_hash: 'changed' } }],
  [
    'the confirmation of an address',
    ofUser("email_confirmed_at = '2026-01-01Z'"),
    'users.update',
    { before: { email_confirmed_at: null }, after: { email_confirmed_at: '2026-01-01T00:00:00+00:00' } },
  ],
  ['an address that is no longer confirmed', ofUser('email_confirmed_at = null'), 'users.update', { after: { email_confirmed_at: null } }],
  ['a passkey', newPasskey, 'passkeys.insert', { before: null, after: { user_id: user, rp_id: 'localhost' } }],
  [
    'another key in its place',
    `update passkeys set public_key = 'other', counter = 2`,
    'passkeys.update',
    { before: null, after: { public_key: 'changed' } },
  ],
  ['a passkey that is removed', 'delete from passkeys', 'passkeys.delete', { before: { user_id: user, rp_id: 'localhost' } }],
  [
    'an authenticator that is confirmed',
    `insert into authenticators (user_id, secret) values ('${user}', repeat('A', 32)); update authenticators set confirmed_at = '2026-01-01Z'`,
    'authenticators.update',
    { subject_id: user, after: { confirmed_at: '2026-01-01T00:00:00+00:00' } },
  ],
  [
    'another secret of it',
    `update authenticators set secret = repeat('B', 32), used_step = 7`,
    'authenticators.update',
    { before: null, after: { secret: 'changed' } },
  ],
  ['an authenticator that is removed', 'delete from authenticators', 'authenticators.delete', { subject_id: user, after: null }],
  [
    'an account that begins with a role',
    `insert into users (full_name, username, email, password_hash, referral_code, role) values ('A B', 'a_b', 'a@b.example', 'x', 'REF-AAA-0001', 'admin')`,
    'users.insert',
    { before: null, after: { role: 'admin' } },
  ],
  ['an account that is removed', `delete from users where username = 'a_b'`, 'users.delete', { before: { role: 'admin' }, after: null }],
  [
    'a payment of another state',
    `update payments set status = 'failed' where id = '${payment}'`,
    'payments.update',
    { after: { status: 'failed' } },
  ],
  [
    'another amount of a payment',
    `update payments set amount_minor = 1 where id = '${payment}'`,
    'payments.update',
    { before: { amount_minor: 1500 } },
  ],
  [
    'a refund',
    refund,
    'refunds.insert',
    {
      after: expect.objectContaining({
        reason: 'Late.',
        status: 'pending',
        amount_minor: 1500,
        source: 'nothing_to_buy',
        payment_id: returned,
      }),
    },
  ],
  [
    'a refund that is known to the provider',
    `update refunds set provider_id = 're_1'`,
    'refunds.update',
    { before: { provider_id: null }, after: { provider_id: 're_1' } },
  ],
  [
    'a refund that arrived',
    `update refunds set status = 'succeeded', refunded_at = now()`,
    'refunds.update',
    { before: { status: 'pending' }, after: { status: 'succeeded' } },
  ],
  [
    'a dispute',
    `insert into disputes (provider_id, payment_id, amount_minor, reason, status, opened_at) values ('du_1', '${returned}', 1500, 'general', 'under_review', now())`,
    'disputes.insert',
    { after: expect.objectContaining({ status: 'under_review', reason: 'general', payment_id: returned }) },
  ],
  [
    'a dispute that ends',
    `update disputes set status = 'won'`,
    'disputes.update',
    { before: { status: 'under_review' }, after: { status: 'won' } },
  ],
  ['a dispute that is removed', 'delete from disputes', 'disputes.delete', { after: null }],
  [
    'a warning of fraud',
    `insert into fraud_warnings (provider_id, payment_id, fraud_type, actionable, warned_at) values ('issfr_1', '${returned}', 'misc', true, now())`,
    'fraud_warnings.insert',
    { after: expect.objectContaining({ fraud_type: 'misc', actionable: true }) },
  ],
  [
    'a payment that was found at the provider',
    `insert into found_payments (intent_id, payment_id, user_id, amount_minor, currency, outcome, reason, refund_status)
      values ('pi_lost', '${payment}', '${user}', 1500, 'NZD', 'returned', 'So.', 'pending')`,
    'found_payments.insert',
    { after: expect.objectContaining({ intent_id: 'pi_lost', outcome: 'returned', amount_minor: 1500 }) },
  ],
  [
    'how its refund went',
    `update found_payments set refund_id = 're_1', refund_status = 'failed'`,
    'found_payments.update',
    { before: { refund_id: null, refund_status: 'pending' }, after: { refund_id: 're_1', refund_status: 'failed' } },
  ],
  ['that it was found is removed', 'delete from found_payments', 'found_payments.delete', { after: null }],
  ['a payment that is removed', `delete from payments where id = '${payment}'`, 'payments.delete', { after: null }],
  [
    'a subscription that is given',
    newSubscription,
    'subscriptions.insert',
    { before: null, after: expect.objectContaining({ source: 'grant', slots: 5 }) },
  ],
  [
    'more slots',
    `update subscriptions set slots = 9 where id = '${subscription}'`,
    'subscriptions.update',
    { before: { slots: 5 }, after: { slots: 9 } },
  ],
  [
    'a subscription whose payment is disputed',
    `update subscriptions set disputed_at = '2026-01-01Z' where id = '${subscription}'`,
    'subscriptions.update',
    { before: { disputed_at: null } },
  ],
  [
    'a subscription whose dispute has ended',
    `update subscriptions set disputed_at = null where id = '${subscription}'`,
    'subscriptions.update',
    { after: { disputed_at: null } },
  ],
  ['a subscription that is removed', `delete from subscriptions where id <> '${subscription}'`, 'subscriptions.delete', { after: null }],
  ['another price', `update plans set price_minor = price_minor + 1 where plan_type = 'basic'`, 'plans.update', {}],
  [
    'a listing that is hidden',
    ofListing("status = 'hidden', hidden_from = 'active'"),
    'listings.update',
    { after: { status: 'hidden', hidden_from: 'active' } },
  ],
  [
    'a listing that is shown again',
    ofListing("status = 'active', hidden_from = null"),
    'listings.update',
    { before: { status: 'hidden', hidden_from: 'active' } },
  ],
  ['a listing that is removed', `delete from listings where id = '${doomed}'`, 'listings.delete', { after: null }],
])('%s is recorded in the log for every actor', async (_, statement, what, expected) => {
  const logged = await loggedBy(statement);
  expect(logged).toEqual([expect.objectContaining({ what, program: 'psql', actor_id: null, ...expected })]);
});

test('records moderation and changed stars of a review, but not changed text or a withdrawal', async () => {
  const id = await one(review(listing));
  const set = (because: string | null) =>
    loggedBy(
      `update reviews set removed_because = ${because ? `'${because}'` : 'null'}, removed_at = ${because ? 'now()' : 'null'} where id = '${id}'`,
    );
  expect(await loggedBy(`update reviews set rating = 1, comment = 'Late.' where id = '${id}'`)).toMatchObject([
    { what: 'reviews.update', subject_id: id, before: { rating: 5 }, after: { rating: 1 } },
  ]);
  expect(await loggedBy(`update reviews set rating = 1, comment = 'Very late.' where id = '${id}'`)).toEqual([]);
  expect(await set('withdrawn')).toEqual([]);
  expect(await set('offensive')).toMatchObject([{ subject_id: id, after: { removed_because: 'offensive' } }]);
  expect(await set('legal')).toMatchObject([{ before: { removed_because: 'offensive' }, after: { removed_because: 'legal' } }]);
  expect(await set(null)).toMatchObject([{ before: { removed_because: 'legal' } }]);
  expect(await set('withdrawn')).toEqual([]);
  expect(await loggedBy(`delete from reviews where id = '${id}'`)).toMatchObject([{ what: 'reviews.delete', before: { rating: 1 } }]);
});

test('records moderators’ decisions and appeals', async () => {
  const staff = await one(`insert into users (full_name, username, email, password_hash, referral_code)
    values ('A N', 'staff', 'staff@example.org', 'x', 'REF-STA-0001') returning id`);
  const report = await one(`insert into reports (reporter_id, kind, subject_id, concerned_id, reason, comment, title, words)
    values ('${staff}', 'listing', '${listing}', '${user}', 'spam', 'Private words.', 'A tap', '') returning id`);
  const [decided] = await loggedBy(`insert into decisions (kind, about_kind, about_id, about_title, concerned_id, decided_by, reason)
    values ('warn', 'listing', '${listing}', 'A tap', '${user}', '${staff}', 'Mend it.')`);
  expect(decided).toMatchObject({ what: 'decisions.insert', after: { kind: 'warn', reason: 'Mend it.', concerned_id: user } });
  const decision = decided?.subject_id;
  expect(await loggedBy(`update reports set decision_id = '${decision}'`)).toMatchObject([
    { what: 'reports.update', subject_id: report, after: { decision_id: decision } },
  ]);
  expect(await loggedBy("update reports set comment = ''")).toEqual([]);
  expect(await loggedBy(`insert into appeals (decision_id, words) values ('${decision}', 'Why?')`)).toMatchObject([
    { what: 'appeals.insert' },
  ]);
  const answer = `update appeals set upheld = false, answer = 'So.', answered_by = '${staff}', answered_at = now()`;
  expect(await loggedBy(answer)).toMatchObject([{ what: 'appeals.update', after: { upheld: false, answer: 'So.' } }]);
  expect(await loggedBy('delete from appeals')).toMatchObject([{ what: 'appeals.delete' }]);
  expect(await loggedBy('delete from reports')).toMatchObject([{ what: 'reports.delete', before: { reason: 'spam' } }]);
  const insertLookSql = `insert into looks (administrator_id, user_id, reason, begun_at, ends_at) values ('${staff}', '${user}', 'Asked to.', now(), now())`;
  expect(await loggedBy(insertLookSql)).toMatchObject([{ what: 'looks.insert', after: { user_id: user, reason: 'Asked to.' } }]);
  expect(await loggedBy("update looks set reason = 'Bored.'")).toMatchObject([{ what: 'looks.update', before: { reason: 'Asked to.' } }]);
  expect(await loggedBy('delete from looks')).toMatchObject([{ what: 'looks.delete' }]);
});

test('records decisions about held referrals', async () => {
  const [staff, friend] = await Promise.all(
    ['decider', 'friend'].map((name) =>
      one(`insert into users (full_name, username, email, password_hash, referral_code)
        values ('A N', '${name}', '${name}@example.org', 'x', 'REF-${name}') returning id`),
    ),
  );
  const made = `insert into referrals (referrer_id, referred_id, code, entered_at, status, created_at, mailbox_key, held_because, held_at, held_until)
    values ('${user}', '${friend}', 'REF-X', 'registration', 'held', now(), repeat('k', 32), 'So.', now(), now() + interval '1 day')`;
  expect(await loggedBy(made)).toEqual([]);
  const decide = `update referrals set status = 'pending', decided_at = now(), decided_by = '${staff}', approved = true, decision_reason = 'Two people.'`;
  expect(await loggedBy(decide)).toMatchObject([
    { what: 'referrals.update', after: { status: 'pending', approved: true, decided_by: staff, decision_reason: 'Two people.' } },
  ]);
  expect(await loggedBy('delete from referrals')).toMatchObject([
    { what: 'referrals.delete', before: { approved: true, referred_id: friend } },
  ]);
});

test('does not record changes outside rights, money and moderation', async () => {
  expect(
    await loggedBy(`${ofUser("full_name = 'Mere K', email = email")}; ${ofListing("status = 'inactive'")}; ${ofListing("status = 'active'")};
      insert into users (full_name, username, email, password_hash, referral_code) values ('C D', 'c_d', 'c@d.example', 'x', 'REF-CCC-0001')`),
  ).toEqual([]);
});

test('does not record rolled back changes', async () => {
  expect(await loggedBy(`begin; ${ofUser("role = 'admin'")}; rollback`)).toEqual([]);
});

test('an entry names the actor of its transaction only', async () => {
  const before = await lastNumber();
  const setRole = (role: 'admin' | 'user', actor: string | null) =>
    db.transaction().execute(async (tx) => {
      if (actor) await setAuditActor(tx, actor);
      await tx.updateTable('users').set({ role }).where('id', '=', user).execute();
    });
  // On one connection, one after the other.
  await setRole('admin', user);
  await setRole('user', null);
  expect(await entriesAfter(before)).toMatchObject([
    { program: 'handwise', actor_id: user },
    { program: 'handwise', actor_id: null },
  ]);
});

/** Changes the log without its guarding trigger and rolls back afterwards. */
async function tampered<Result>(statements: string, read: () => Promise<Result>): Promise<Result> {
  await byHand.query(`create table kept as select * from audit_log; create table kept_head as select * from audit_head;
    alter table audit_log disable trigger audit_log_append_only; ${statements}`);
  try {
    return await read();
  } finally {
    await byHand.query(`delete from audit_log; insert into audit_log select * from kept order by number; drop table kept;
      delete from audit_head; insert into audit_head select * from kept_head; drop table kept_head;
      alter table audit_log enable trigger audit_log_append_only`);
  }
}
const faults = async () => (await runAudits(db)).find((book) => book.name === 'audit log')?.faults ?? [];

beforeEach(async () => {
  if ((await lastNumber()) < 6) for (const slots of [5, 6, 7, 8, 9, 5]) await byHand.query(`update subscriptions set slots = ${slots}`);
});

test('verifies an untouched log', async () => {
  expect(await faults()).toEqual([]);
});

test.each([
  [
    'changed',
    "update audit_log set what = 'users.dance' where number = 4",
    { id: '4', fault: 'the entry was changed after it was written' },
  ],
  [
    'changed with a hash made to fit',
    "update audit_log as entry set after = '{}' where number = 4; update audit_log as entry set hash = audit_hash(entry) where number = 4",
    { id: '5', fault: 'the entry does not follow the one before it: one of them was replaced' },
  ],
  ['backdated', "update audit_log set written_at = written_at - interval '1 microsecond' where number = 4", { id: '4' }],
  ['given to somebody else', 'update audit_log set actor_id = uuidv7() where number = 4', { id: '4' }],
  ['removed', 'delete from audit_log where number = 4', { id: '5', fault: 'the entry follows 3: those between were removed' }],
  [
    'put between',
    `update audit_log set number = -number where number > 4; update audit_log set number = 1 - number where number < 0;
     insert into audit_log select (jsonb_populate_record(audit_log, jsonb_build_object('number', 5, 'hash', sha256('x')))).* from audit_log where number = 4`,
    { id: '5' },
  ],
  [
    'removed from the beginning',
    'delete from audit_log where number = 1',
    { id: '2', fault: 'the entry follows 0: those between were removed' },
  ],
])('reports the first inconsistent entry after one is %s', async (_, statements, fault) => {
  const relaxed = `alter table audit_log drop constraint if exists audit_log_number_check; ${statements}`;
  expect((await tampered(relaxed, faults))[0]).toMatchObject(fault);
});

test('detects entries removed from the end and a wrong head', async () => {
  const last = await lastNumber();
  const fault = (number: number) => `the log ends with entry ${number}: others were removed from its end or added to it`;
  expect(await tampered(`delete from audit_log where number = ${last}`, faults)).toEqual([{ id: String(last), fault: fault(last - 1) }]);
  expect(await tampered('delete from audit_log', faults)).toEqual([{ id: String(last), fault: fault(0) }]);
  expect(await tampered("update audit_head set hash = sha256('x')", faults)).toEqual([{ id: String(last), fault: fault(last) }]);
});

test('a rebuilt chain does not contain the externally stored head', async () => {
  const { rows } = await byHand.query<{ number: string; hash: string }>(`select number, encode(hash, 'hex') as hash from audit_head`);
  const head = { number: Number(rows[0]?.number), hash: rows[0]?.hash ?? '' };
  expect(await hasHead(db, head)).toBe(true);
  const rechainSql = `do $$ declare entry audit_log; before bytea := decode(repeat('00', 32), 'hex'); begin
    for entry in select * from audit_log order by number loop
      entry.program := 'handwise'; entry.previous := before; entry.hash := audit_hash(entry); before := entry.hash;
      update audit_log set program = entry.program, previous = entry.previous, hash = entry.hash where number = entry.number;
    end loop; update audit_head set hash = before; end $$`;
  const [found, isStored] = await tampered(rechainSql, async () => [await faults(), await hasHead(db, head)] as const);
  expect([found, isStored]).toEqual([[], false]);
  expect(await hasHead(db, { ...head, number: head.number + 1 })).toBe(false);
});

test('numbers concurrent changes without gaps or deadlocks', async () => {
  const before = await lastNumber();
  const { rows: people } = await byHand.query<{ id: string }>(`
    insert into users (full_name, username, email, password_hash, referral_code)
    select 'P Q', 'parallel_' || n, 'p' || n || '@example.org', 'x', 'REF-PPP-' || 1000 + n from generate_series(1, 12) as n returning id`);
  // Each locks two rows in the same order; all entries are written at the end.
  const work = people.slice(1).map(({ id }, index) =>
    db.transaction().execute(async (tx) => {
      const suspend = (who: string, at: number) =>
        tx
          .updateTable('users')
          .set({ suspended_at: new Date(at) })
          .where('id', '=', who)
          .execute();
      await suspend(people[index]?.id ?? '', 2 * index);
      await suspend(id, 2 * index + 1);
    }),
  );
  await Promise.all(work);
  const entries = await entriesAfter(before);
  expect(entries).toHaveLength(22);
  expect(await faults()).toEqual([]);
});

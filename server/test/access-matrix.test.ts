import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { Call } from '@handwise/contract/call';
import { testApp } from '@handwise/sandbox/testing/app';
import { type Field, listFields, makeCall, createSample } from '@handwise/sandbox/testing/call-samples';
import { contractCalls } from '@handwise/sandbox/testing/calls';
import { startLook } from '../src/domains/accounts/accounts.sessions.ts';

// Every route of the API, called by every role, with own and with other users' objects.
const { app, db, given, callers, parts, pushes } = await testApp();
const { asVisitor, as, from } = callers;
const calls = await contractCalls();
const nameOf = ({ method, url }: Pick<Call, 'method' | 'url'>) => `${method} ${url}`;

let cells = 0;

/** Who may access the object in a call's URL: everyone, or only its owner, for others it is a 404. */
const everyone = 'everyone';
const accessRules: Record<string, keyof typeof objects | typeof everyone> = {
  'GET /listing/:id': everyone,
  'GET /listing/find/:id': everyone,
  'POST /listing/:id/view': everyone,
  'POST /listing/:id/phone': everyone,
  'GET /listing/:id/reviews': everyone,
  'GET /listing/:id/reviews.json': everyone,
  'GET /listing/:id/reviews/mine': everyone,
  'GET /listing/saved/check/:id': everyone,
  'POST /listing/saved/:id': everyone,
  'DELETE /listing/saved/delete/:id': everyone,
  'GET /costs/:category/:subCategory': everyone,
  'GET /draws/:period/log': everyone,
  'GET /draws/:period/log.txt': everyone,
  'GET /draws/:period/log/checkpoint': everyone,
  'GET /draws/:period/log/inclusion': everyone,
  'GET /draws/:period/log/consistency': everyone,
  'GET /draws/:period/terms': everyone,
  'GET /referral/check/:code': everyone,
  'GET /draws/:period': everyone,
  'GET /draws/:period/proof': everyone,
  'GET /draws/:period/pack': everyone,
  'GET /listing/:id/figures': 'listing',
  'PUT /listing/:id': 'listing',
  'PUT /listing/:id/plan': 'listing',
  'PUT /listing/:id/deactivate': 'listing',
  'PUT /listing/:id/availability': 'listing',
  'DELETE /listing/:id/availability': 'listing',
  'PUT /listing/:id/reactivate': 'listing',
  'DELETE /credit/:id': 'card',
  'PUT /plan-user/:id/renewal': 'subscription',
  'DELETE /plan-user/:id/renewal': 'subscription',
  'GET /receipt/:id': 'receipt',
  'GET /receipt/:id/pdf': 'receipt',
  'GET /adjustment-note/:id/pdf': 'adjustment note',
  'PUT /review/:id': 'review',
  'DELETE /review/:id': 'review',
  'POST /review/:id/answer': 'review of one’s listing',
  'GET /messages/:id': 'conversation',
  'GET /messages/:id/pdf/:number': 'conversation',
  'POST /messages/:id': 'conversation',
  'POST /messages/:id/seen': 'conversation',
  'GET /messages/:id/others': 'conversation',
  'POST /messages/:id/others': 'conversation',
  'POST /quote-requests/:id/close': 'quote request',
  'POST /messages/:id/block': 'conversation',
  'DELETE /messages/:id/block': 'conversation',
  'GET /quotes/:id': 'quote',
  'POST /quotes/:id/seen': 'quote',
  'POST /quotes/:id/accept': 'quote',
  'POST /quotes/:id/decline': 'quote',
  'POST /quotes/:id/withdraw': 'quote of one’s business',
  'GET /quotes/:id/pdf': 'quote',
  'POST /visits/:id/take': 'visit',
  'POST /visits/:id/times': 'visit',
  'POST /visits/:id/ask': 'visit',
  'POST /visits/:id/cancel': 'visit',
  'GET /visits/:id.ics': 'agreed visit',
  'DELETE /auth/identities/:provider': everyone,
  'DELETE /auth/sessions/:id': 'session',
  'PUT /push/subscriptions/:id': 'push subscription',
  'DELETE /push/subscriptions/:id': 'push subscription',
  'PUT /auth/passkeys/:id': 'passkey',
  'DELETE /auth/passkeys/:id': 'passkey',
  'POST /decisions/:id/appeal': 'decision',
  'POST /referral/rewards/:id': 'referral',
  'PUT /alerts/:id': 'alert',
  'DELETE /alerts/:id': 'alert',
  'POST /alerts/:id/restore': 'deleted alert',
};

// What a call needs beyond samples of its fields.
const aReason = { reason: 'It is not about the job.', decision: 'warn' };
const aCredential = { id: 'AAAA', rawId: 'AAAA', type: 'public-key', clientExtensionResults: {} };
const aQuote = {
  kind: 'quote',
  gstIncluded: true,
  validUntil: new Date(Date.now() + 7 * 86_400_000).toISOString().slice(0, 10),
  lines: [{ description: 'Labour', quantityMilli: 1_000, unitMinor: 9_500 }],
};
const aTime = { start: `${new Date(Date.now() + 7 * 86_400_000).toISOString().slice(0, 10)}T10:00`, minutes: 60 };
const needed: Record<string, Record<string, unknown>> = {
  'POST /admin/imports/:id/execute': { fileHash: 'a'.repeat(64), basis: 'consent', isConfirmed: true },
  'POST /invitations/show': { token: 'a'.repeat(43) },
  'POST /invitations/claim': { token: 'a'.repeat(43) },
  'POST /admin/reports/:id/decide': aReason,
  'POST /admin/decisions': { ...aReason, kind: 'listing' },
  'POST /admin/licences/requirements/:id': { required: 'no', thresholdMinor: null, registerUrl: '' },
  'POST /admin/licences/queue/:listingId': { result: 'not_found', recordUrl: '', endsOn: '' },
  'POST /admin/appeals/:id/decide': { uphold: false },
  'POST /admin/entries': { tickets: 3 },
  'POST /admin/referrals/:id/decide': { approve: true },
  'POST /referral/rewards/:id': { rewardType: 'free_month' },
  'POST /push/subscriptions': pushes.subscribe(),
  'PUT /push/subscriptions/:id': { showsText: true },
  'POST /alerts': { frequency: 'daily' },
  'PUT /mails': { kind: 'messages', on: false },
  'POST /reports': { kind: 'listing', reason: 'spam' },
  'POST /review/create': { rating: 5 },
  'POST /auth/authenticator/confirm': { code: '123456' },
  'POST /auth/identities': { provider: 'google' },
  'POST /auth/confirm-identity/with': { provider: 'google' },
  'POST /auth/with/finish': { provider: 'google', state: 'state', code: 'code' },
  'DELETE /auth/identities/:provider': { provider: 'google' },
  'POST /auth/passkeys': { answer: { ...aCredential, response: { clientDataJSON: 'AAAA', attestationObject: 'AAAA' } } },
  'POST /messages/:id': { message: 'Kia ora', clientId: 'c0ffee00-0000-4000-8000-000000000001', pictures: undefined },
  'POST /messages/:id/seen': { number: 1 },
  'POST /quote-requests': { category: 'Plumbing', subCategory: '', when: 'asap', date: '', pictures: undefined },
  'POST /quotes': aQuote,
  'POST /quotes/:id/decline': { reason: 'price', note: '' },
  'POST /visits': { times: [aTime] },
  'POST /visits/:id/take': { start: new Date(Date.now() + 7 * 86_400_000).toISOString(), revision: undefined },
  'POST /visits/:id/times': { times: [aTime], revision: undefined },
  'POST /visits/:id/ask': { note: '', revision: undefined },
  'POST /visits/:id/cancel': { reason: '', revision: undefined },
  'POST /visits/feed': { renew: false },
  'GET /visits/feed.ics': { token: 'a'.repeat(69) },
  'PUT /listing/:id/availability': { state: 'this_week' },
  'PUT /review/:id': { rating: 4, comment: 'Changed my mind.' },
};

const sampled = (call: Call, more: Record<string, unknown> = {}) =>
  new Map<Field, unknown>(
    listFields(call).map((field) => {
      const set = { ...needed[nameOf(call)], ...more };
      return [field, field.name in set ? set[field.name] : createSample(field)];
    }),
  );

let networks = 0;
/** A separate network for each call, so that no rate limit answers instead. */
const nextNetwork = () => {
  networks += 1;
  return `198.51.${Math.floor(networks / 250)}.${networks % 250}`;
};
const call = (one: Call, token: string | null, more: Record<string, unknown> = {}) =>
  makeCall(from(nextNetwork(), token === null ? {} : { authorization: `Bearer ${token}` }), one, sampled(one, more));

async function newAdmin() {
  const user = await given.user();
  await db.updateTable('users').set({ role: 'admin' }).where('id', '=', user._id).execute();
  return user;
}
const suspended = await given.user();
await db.updateTable('users').set({ suspended_at: new Date() }).where('id', '=', suspended._id).execute();
const member = await given.user();
const stale = await given.user();
await sql`update sessions set confirmed_at = now() - interval '11 minutes' where user_id = ${stale._id}`.execute(db);
const administrator = await newAdmin();
const seen = await given.user();
const lookSession = await db.transaction().execute(async (tx) => {
  const user = await tx.selectFrom('users').selectAll().where('id', '=', seen._id).executeTakeFirstOrThrow();
  return startLook(tx, user, { id: administrator._id, reason: 'They asked for help.', browser: 'Chrome on Mac' }, parts.clock.now());
});

const roles = ['visitor', 'suspended', 'look', 'stale', 'member', 'administrator'] as const;
type Role = (typeof roles)[number];
/** The status and code with which a call rejects a role; null if it accepts it. */
function refusalOf({ access, recent, method }: Call, role: Role): [number, string] | null {
  if (access === 'public' || (access === 'optional' && role === 'visitor')) return null;
  if (role === 'visitor' || role === 'suspended') return [401, 'not_authenticated'];
  if (role === 'look' && method !== 'GET') return [403, 'look_only'];
  if (access === 'admin' && role !== 'administrator') return [403, 'forbidden'];
  return recent && (role === 'stale' || role === 'look') ? [403, 'confirm_identity'] : null;
}
const refusals = new Set(['not_authenticated', 'forbidden', 'look_only', 'confirm_identity']);

// An event stream does not end.
const isStream = ({ url }: Call) => url === '/events';

/** A new user for each writing call, because the call may change the user. */
async function tokenOf(role: Role, { method }: Call): Promise<string | null> {
  if (role === 'visitor') return null;
  if (role === 'suspended') return suspended.token;
  if (role === 'look') return lookSession.token;
  if (role === 'stale') return stale.token;
  if (role === 'member') return method === 'GET' ? member.token : (await given.user()).token;
  return method === 'GET' ? administrator.token : (await newAdmin()).token;
}

test.each(calls.map((one) => [nameOf(one), one] as const))('%s admits the roles that its description names', async (_, one) => {
  for (const role of roles) {
    const refusal = refusalOf(one, role);
    // An accepted call may end the session for the next one.
    if (refusal === null && ((role === 'stale' && one.method !== 'GET') || isStream(one))) continue;
    const { status, body } = await call(one, await tokenOf(role, one));
    const outcome = refusals.has(body?.code) ? [status, body.code] : 'let in';
    expect({ role, outcome, fails: status >= 500 }).toEqual({ role, outcome: refusal ?? 'let in', fails: false });
    cells += 1;
  }
});

const guarded = calls.filter(({ access, url }) => access !== 'public' && url !== '/events');

test.each(guarded.map((one) => [nameOf(one), one] as const))('%s rejects access before validating the input', async (_, one) => {
  const invalid = new Map(listFields(one).map((field) => [field, field.place === 'body' ? { not: 'valid' } : '\u0007']));
  const tokens = { visitor: 'no-such-session-000000', suspended: suspended.token, look: lookSession.token, member: member.token };
  for (const [role, token] of Object.entries(tokens) as [keyof typeof tokens, string][]) {
    // Visitors may make calls with optional sessions; an ended session is rejected.
    const refusal = role === 'visitor' ? [401, 'not_authenticated'] : refusalOf(one, role);
    // Proof of identity is checked last.
    if (refusal === null || refusal[1] === 'confirm_identity') continue;
    const { status, body } = await makeCall(from(nextNetwork(), { authorization: `Bearer ${token}` }), one, invalid);
    expect({ role, status, code: body?.code }).toEqual({ role, status: refusal[0], code: refusal[1] });
    cells += 1;
  }
});

const writing = guarded.filter(({ access, method, form }) => access !== 'optional' && method !== 'GET' && !form);

test.each(writing.map((one) => [nameOf(one), one] as const))('%s rejects a visitor before reading the body', async (_, one) => {
  const { statusCode } = await app.inject({
    method: one.method,
    url: `/api${one.url.replace(/:\w+/g, 'x')}`,
    headers: { 'content-type': 'application/json' },
    payload: '{"',
    remoteAddress: nextNetwork(),
  });
  expect(statusCode).toBe(401);
});

test('rejects a demoted administrator at the next request', async () => {
  const former = await newAdmin();
  expect((await as(former).get('/admin/overview')).status).toBe(200);
  await db.updateTable('users').set({ role: 'user' }).where('id', '=', former._id).execute();
  expect((await as(former).get('/admin/overview')).status).toBe(403);
});

test('every route of the API is in the contract or describes it', async () => {
  const described = new Set(calls.map(nameOf));
  const routes = printedRoutes().filter((route) => / \/api(\/|$)/.test(route));
  expect(routes.length).toBeGreaterThan(80);
  const undescribed = routes.map((route) => route.replace(' /api', ' ')).filter((route) => !described.has(route));
  // The API page, the fallback for unknown URLs, the page of one-click unsubscribe links, and the way to identity providers and back.
  expect(
    undescribed.filter(
      (route) =>
        !/^GET \/(docs|openapi)|^\w+ \/?\*?$|^GET \/((mails|alerts)\/end|invitations\/refuse)$|^\w+ \/auth\/with\/(:provider|\w+\/callback)$/.test(
          route,
        ),
    ),
  ).toEqual([]);
});

/** Every route of the server as `METHOD /path`, from the tree that the router prints. */
function printedRoutes(): string[] {
  const above: string[] = [];
  return app
    .printRoutes({ commonPrefix: false })
    .split('\n')
    .flatMap((line) => {
      const [, branch = '', part = '', methods = ''] = /^(.*)── (\S+)(?: \(([A-Z, ]+)\))?$/.exec(line) ?? [];
      const depth = branch.length / 4;
      above.length = Math.floor(depth);
      above.push(part);
      const path = above.join('');
      return methods
        .split(', ')
        .filter((method) => method !== '' && method !== 'HEAD' && method !== 'OPTIONS')
        .map((method) => `${method} ${path}`);
    });
}

test('every call with an object in its URL has an ownership rule', () => {
  const naming = calls.filter(({ params, access }) => params && access !== 'admin').map(nameOf);
  expect(Object.keys(accessRules).toSorted((a, b) => a.localeCompare(b))).toEqual(naming.toSorted((a, b) => a.localeCompare(b)));
});

async function sendQuote() {
  const [seller, buyer] = [await given.user(), await given.user()];
  const { id: listingId } = await given.listing({ sellerId: seller._id });
  const { body } = await as(buyer).post('/email/send', { sellerId: seller._id, listingId, message: 'Kia ora' });
  const { body: quote } = await as(seller).post('/quotes', { ...aQuote, conversationId: body.conversationId, clientId: randomUUID() });
  return { seller, buyer, id: quote._id as string };
}

async function proposeVisit() {
  const [seller, buyer] = [await given.user(), await given.user()];
  const { id: listingId } = await given.listing({ sellerId: seller._id });
  const { body } = await as(buyer).post('/email/send', { sellerId: seller._id, listingId, message: 'Kia ora' });
  const visit = await as(seller).post('/visits', { conversationId: body.conversationId, clientId: randomUUID(), times: [aTime] });
  return { seller, buyer, id: visit.body._id as string, start: visit.body.times[0].start as string };
}

/** Creates an object and returns its owner, its id and the table whose row others must not change. */
const objects = {
  listing: async () => {
    const owner = await given.user();
    const { id } = await given.listing({ sellerId: owner._id });
    return { owner, id, table: 'listings' };
  },
  card: async () => {
    const owner = await given.user();
    return { owner, id: await given.card(owner), table: 'cards' };
  },
  subscription: async () => {
    const owner = await given.user();
    await given.listing({ sellerId: owner._id });
    const { id } = await db.selectFrom('subscriptions').select('id').where('user_id', '=', owner._id).executeTakeFirstOrThrow();
    return { owner, id, table: 'subscriptions' };
  },
  receipt: async () => {
    const { seller } = await given.published();
    const { body } = await as(seller).get('/receipt/all');
    return { owner: seller, id: body.data[0]._id, table: 'receipts' };
  },
  'adjustment note': async () => {
    const { seller } = await given.published();
    const [receipt] = (await as(seller).get('/receipt/all')).body.data;
    const { id: refundId } = await db.transaction().execute(async (tx) => {
      const { id } = await tx
        .updateTable('payments')
        .set(({ eb }) => ({ bought_minor: eb('bought_minor', '-', 100) }))
        .where('user_id', '=', seller._id)
        .returning('id')
        .executeTakeFirstOrThrow();
      const back = { payment_id: id, amount_minor: 100, source: 'provider', reason: 'So.', provider_id: `re_${id}` } as const;
      return tx.insertInto('refunds').values(back).returning('id').executeTakeFirstOrThrow();
    });
    const note = { number: 1, user_id: seller._id, receipt_id: receipt._id, refund_id: refundId };
    const details = {
      ...receipt,
      receiptNumber: receipt.number,
      receiptIssuedAt: receipt.issuedAt,
      receiptTotalMinor: 1500,
      reason: 'So.',
    };
    const { id } = await db
      .insertInto('adjustment_notes')
      .values({ ...note, details: JSON.stringify(details) })
      .returning('id')
      .executeTakeFirstOrThrow();
    return { owner: seller, id, table: 'adjustment_notes' };
  },
  review: async () => {
    const owner = await given.user();
    await db.updateTable('users').set({ email_confirmed_at: new Date() }).where('id', '=', owner._id).execute();
    const { id: listingId } = await given.listing();
    await as(owner).post('/review/create', { comment: 'Tidy work.', rating: 5, listingId });
    const { id } = await db.selectFrom('reviews').select('id').where('author_id', '=', owner._id).executeTakeFirstOrThrow();
    return { owner, id, table: 'reviews' };
  },
  'review of one’s listing': async () => {
    const owner = await given.user();
    const { id: listingId } = await given.listing({ sellerId: owner._id });
    return { owner, id: (await given.review(listingId, 5)).id, table: 'reviews' };
  },
  conversation: async () => {
    const owner = await given.user();
    const { id: listingId, seller_id: sellerId } = await given.listing({ title: 'Gate' });
    const message = { sellerId, listingId, buyerEmail: owner.email, subject: 'Message received for "Gate"', message: 'Kia ora' };
    const { body } = await as(owner).post('/email/send', message);
    return { owner, id: body.conversationId, table: 'conversations' };
  },
  quote: async () => {
    const { buyer, id } = await sendQuote();
    return { owner: buyer, id, table: 'quotes' };
  },
  'quote of one’s business': async () => {
    const { seller, id } = await sendQuote();
    return { owner: seller, id, table: 'quotes' };
  },
  visit: async () => {
    const { buyer, id } = await proposeVisit();
    return { owner: buyer, id, table: 'visits' };
  },
  'agreed visit': async () => {
    const { seller, buyer, id, start } = await proposeVisit();
    await as(buyer).post(`/visits/${id}/take`, { start });
    return { owner: seller, id, table: 'visits' };
  },
  'quote request': async () => {
    const owner = await given.user();
    const { id: listingId } = await given.listing();
    const job = { job: 'A tap drips.', category: 'Plumbing', place: 'Taupō', when: 'asap' };
    const { body } = await as(owner).post('/quote-requests', { ...job, listingId, clientId: randomUUID() });
    return { owner, id: body.requestId, table: 'quote_requests' };
  },
  referral: async () => {
    const owner = await given.confirmed(await given.user());
    const referred = await given.confirmed(await given.user());
    await as(referred).post('/plan-user/use-referral', { planId: given.planId('basic'), referralCode: owner.referralCode });
    await as(referred).postForm('/listing/create', given.listingForm('basic'));
    const { id } = await db.selectFrom('referrals').select('id').where('referrer_id', '=', owner._id).executeTakeFirstOrThrow();
    return { owner, id, table: 'referrals' };
  },
  session: async () => {
    const owner = await given.user();
    const second = await asVisitor.post('/auth/login', { email: owner.email, password: 'correct-horse' });
    const { body } = await as(second.body.data).get('/auth/sessions');
    return { owner, id: body.sessions.find((one: { current: boolean }) => one.current)._id, table: 'sessions' };
  },
  'push subscription': async () => {
    const owner = await given.user();
    const { body } = await as(owner).post('/push/subscriptions', pushes.subscribe());
    return { owner, id: body._id, table: 'push_subscriptions' };
  },
  passkey: async () => {
    const owner = await given.user();
    const passkey = { user_id: owner._id, public_key: Buffer.from('key'), transports: [], rp_id: 'localhost' };
    const { id } = await db
      .insertInto('passkeys')
      .values({ ...passkey, credential_id: owner._id, counter: 0, name: 'Phone' })
      .returning('id')
      .executeTakeFirstOrThrow();
    return { owner, id, table: 'passkeys' };
  },
  alert: async () => {
    const owner = await given.user();
    const { body } = await as(owner).post('/alerts', { category: 'plumbing', frequency: 'daily' });
    return { owner, id: body._id, table: 'alerts' };
  },
  'deleted alert': async () => {
    const owner = await given.user();
    const { body } = await as(owner).post('/alerts', { category: 'plumbing', frequency: 'daily' });
    await as(owner).delete(`/alerts/${body._id}`);
    return { owner, id: body._id, table: 'alerts' };
  },
  decision: async () => {
    const owner = await given.user();
    const { id } = await db
      .insertInto('decisions')
      .values({
        kind: 'warn',
        about_kind: 'user',
        about_id: owner._id,
        about_title: 'Mere K.',
        concerned_id: owner._id,
        decided_by: administrator._id,
        reason: 'Advertising in messages.',
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    return { owner, id, table: 'decisions' };
  },
} satisfies Record<string, () => Promise<{ owner: { token: string }; id: string; table: string }>>;

const rowOf = async (table: string, id: string) =>
  (await sql<{ row: object }>`select to_jsonb(t) as row from ${sql.table(table)} as t where id::text = ${id}`.execute(db)).rows[0]?.row;

const owned = calls.flatMap((one) => {
  const thing = accessRules[nameOf(one)];
  return thing === undefined || thing === everyone ? [] : [[nameOf(one), one, thing] as const];
});

test.each(owned)(
  '%s finds the user’s own object; for others and administrators it does not exist and stays unchanged',
  async (_, one, thing) => {
    // All users of this file register from one network.
    await db.deleteFrom('attempts').execute();
    const { owner, id, table } = await objects[thing]();
    const before = await rowOf(table, id);
    expect(before).toBeDefined();
    const missing = one.errors.find((code) => code.endsWith('_not_found'));
    for (const other of [await given.user(), await newAdmin()]) {
      const { status, body } = await call(one, other.token, { id });
      expect([status, body.code]).toEqual([404, missing]);
      cells += 1;
    }
    expect(await rowOf(table, id)).toEqual(before);
    // Other things may be missing, but the object itself is found.
    const { body } = await call(one, owner.token, { id });
    expect(body?.code).not.toBe(missing);
    cells += 1;
  },
);

test('tries more than six hundred combinations of route, role and ownership', () => {
  expect(cells).toBeGreaterThan(630);
});

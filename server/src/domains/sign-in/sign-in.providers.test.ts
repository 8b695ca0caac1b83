import { sql } from 'kysely';
import { generateSync } from 'otplib';
import { afterEach, expect, test } from 'vitest';
import type { ProviderName } from '@handwise/contract/accounts/provider-names';
import { testApp } from '@handwise/sandbox/testing/app';
import { createProviderBrowser, testIdentityProviders } from '@handwise/sandbox/testing/identity-providers';
import { openIdentityProviders } from '../../kit/integrations/identity-providers.ts';
import { deleteExpiredAuthorizations } from './sign-in.identities.queries.ts';

const { standIn, environment } = await testIdentityProviders();
const testing = await testApp(environment);
const { app, callers, given, db, outbox, parts } = testing;
const { as, asVisitor } = callers;
const { clock } = parts;

const browse = (user?: { token: string }) => createProviderBrowser(testing, standIn, user);
let people = 0;
/** Somebody whom nobody here knows. */
function stranger(name = 'Hana Tamihana') {
  people += 1;
  return { email: `person${people}@example.org`, name, sub: `subject-of-person-${people}` };
}
const providers = ['google', 'apple'] as const satisfies ProviderName[];
const countUsers = async () =>
  Number(
    (
      await db
        .selectFrom('users')
        .select(({ fn }) => fn.countAll().as('count'))
        .executeTakeFirstOrThrow()
    ).count,
  );
const identitiesOf = (userId: string) => db.selectFrom('identities').selectAll().where('user_id', '=', userId).execute();
const mailsTo = async (to: string, subject: RegExp) => {
  await outbox.runJobs();
  return (await outbox.mails()).filter((mail) => mail.to === to && subject.test(mail.subject));
};
const linkToken = async (to: string) => {
  const button = (await mailsTo(to, /^Connect /)).at(-1)?.blocks.find((block) => block.kind === 'button');
  return new URL(button?.url ?? 'http://nowhere').searchParams.get('token') ?? '';
};
afterEach(() => {
  standIn.setFault(null);
  standIn.alterClaims(null);
  standIn.signWithOtherKey(false);
  clock.set(new Date());
});

test.each(providers)('%s creates a confirmed account without a password, and signs in to it the next time', async (provider) => {
  const person = stranger();
  const { status, body, headers } = await browse().signIn(provider, person);
  expect([status, body.isNew, body.data]).toEqual([
    200,
    true,
    expect.objectContaining({ email: person.email, fullName: 'Hana Tamihana', emailConfirmed: true, role: 'user' }),
  ]);
  expect(body.data.username).toMatch(/^hana_t\d{4}$/);
  expect(String(headers['set-cookie'])).toMatch(/restore=[\w-]{43}/);
  expect((await as(body.data).get('/auth/session')).body.data.email).toBe(person.email);
  expect((await as(body.data).get('/auth/security')).body).toMatchObject({
    hasPassword: false,
    passkeys: [],
    identities: [{ provider, email: person.email }],
  });
  // Apple tells the name the first time only.
  const again = await browse().signIn(provider, person);
  expect([again.status, again.body.isNew, again.body.data._id]).toEqual([200, false, body.data._id]);
  expect((await asVisitor.post('/auth/login', { email: person.email, password: '!' })).status).toBe(401);
  expect(await mailsTo(person.email, /Confirm your email/)).toEqual([]);
});

test('asks for a name that the provider does not tell, and creates the account once', async () => {
  const person = stranger('');
  const browser = browse();
  const { status, body } = await browser.signIn('apple', person);
  expect([status, body]).toEqual([200, { nameNeeded: { token: expect.stringMatching(/^[\w-]{43}$/), email: person.email } }]);
  const { token } = body.nameNeeded;
  const nameless = await browser.ask('POST', '/auth/with/name', { token, fullName: ' ' });
  expect([nameless.status, nameless.body.errors]).toEqual([400, [{ field: 'fullName', message: 'Name is required' }]]);
  const reserved = await browser.ask('POST', '/auth/with/name', { token, fullName: 'Handwise Support' });
  expect(reserved.status).toBe(400);
  const named = await browser.ask('POST', '/auth/with/name', { token, fullName: 'Wiremu Parata' });
  expect([named.status, named.body.data.fullName, named.body.isNew]).toEqual([201, 'Wiremu Parata', true]);
  const again = await browser.ask('POST', '/auth/with/name', { token, fullName: 'Wiremu Parata' });
  expect([again.status, again.body.code]).toEqual([401, 'sign_in_over']);
  const late = (await browse().signIn('apple', stranger(''))).body.nameNeeded.token;
  clock.set(new Date(Date.now() + 31 * 60_000));
  expect((await browser.ask('POST', '/auth/with/name', { token: late, fullName: 'Too Late' })).body.code).toBe('sign_in_over');
});

test('asks for a name in place of one that passes for our staff, and chooses a username that is not reserved', async () => {
  expect((await browse().signIn('google', stranger('Handwise Support'))).body).toHaveProperty('nameNeeded');
  const { body } = await browse().signIn('google', stranger('Root Support'));
  expect(body).toHaveProperty('nameNeeded');
  const { body: jo } = await browse().signIn('google', stranger('李小龍'));
  expect(jo.data.username).toMatch(/^neighbour_\d{4}$/);
});

test('a username that somebody has already is tried again with other digits', async () => {
  // As if the first one were taken.
  await sql`create sequence tried_usernames`.execute(db);
  await sql`create function take_first() returns trigger language plpgsql as $$
    begin if nextval('tried_usernames') = 1 then return null; end if; return new; end $$`.execute(db);
  await sql`create trigger take_first before insert on users for each row execute function take_first()`.execute(db);
  const { status, body } = await browse().signIn('google', stranger('Moana Wharerau'));
  await sql`drop trigger take_first on users`.execute(db);
  expect([status, body.isNew, body.data?.username]).toEqual([200, true, expect.stringMatching(/^moana_w\d{4}$/)]);
});

test.each([
  ['google', false],
  ['google', 'false'],
  ['google', undefined],
  ['google', 1],
  ['google', 'yes'],
  ['apple', 'false'],
  ['apple', null],
] as const)('%s that says %j of an address creates no account and leads into none', async (provider, verified) => {
  const owner = await given.member();
  const before = await countUsers();
  for (const person of [stranger(), { ...stranger(), email: owner.email }]) {
    standIn.alterClaims((claims) => ({ ...claims, email_verified: verified }));
    const { status, body } = await browse().signIn(provider, person);
    expect([status, body.code]).toEqual([403, 'provider_address_not_verified']);
  }
  expect(await countUsers()).toBe(before);
  expect(await identitiesOf(owner._id)).toEqual([]);
  expect(await mailsTo(owner.email, /^Connect/)).toEqual([]);
});

test.each(['true', true])('an address that is verified by %j counts as verified', async (verified) => {
  standIn.alterClaims((claims) => ({ ...claims, email_verified: verified }));
  expect((await browse().signIn('apple', stranger())).body.data.emailConfirmed).toBe(true);
});

test('without an address, or with one that is none, there is no account', async () => {
  for (const email of [undefined, '', 'no address', 'a@b', 7]) {
    standIn.alterClaims((claims) => ({ ...claims, email }));
    expect((await browse().signIn('google', stranger())).body.code).toBe('provider_address_not_verified');
  }
});

test('an account with the address is never entered, and its owner gets a link to connect the provider', async () => {
  const owner = await given.member();
  const person = { ...stranger(), email: owner.email.toUpperCase() };
  const { status, body } = await browse().signIn('google', person);
  expect([status, body]).toEqual([200, { accountExists: { email: owner.email, isLinkSent: true } }]);
  expect(await identitiesOf(owner._id)).toEqual([]);
  const token = await linkToken(owner.email);
  const connected = await asVisitor.post('/auth/with/connect', { token });
  expect([connected.status, connected.body]).toEqual([200, { provider: 'google' }]);
  expect(await mailsTo(owner.email, /^Google was connected/)).toHaveLength(1);
  expect((await asVisitor.post('/auth/with/connect', { token })).body.code).toBe('link_not_valid');
  const after = await browse().signIn('google', person);
  expect(after.body.data._id).toBe(owner._id);
  // Only this person, not everybody with the address.
  expect((await browse().signIn('google', { ...stranger(), email: owner.email })).body.code).toBe('identity_exists');
});

test('a link to connect is worth nothing after an hour, a new address, a new password or a suspension', async () => {
  async function linked() {
    const owner = await given.member();
    await browse().signIn('google', { ...stranger(), email: owner.email });
    return { owner, token: await linkToken(owner.email) };
  }
  const connect = async (token: string) => (await asVisitor.post('/auth/with/connect', { token })).body.code ?? 'connected';
  const [late, moved, changed, suspended, unchanged] = [await linked(), await linked(), await linked(), await linked(), await linked()];
  await db.updateTable('users').set({ email: 'moved@example.org' }).where('id', '=', moved.owner._id).execute();
  const passwords = { password: 'pohutukawa-9', currentPassword: 'correct-horse' };
  expect((await as(changed.owner).put('/auth/update', passwords)).status).toBe(200);
  await db.updateTable('users').set({ suspended_at: new Date() }).where('id', '=', suspended.owner._id).execute();
  for (const { token } of [moved, changed, suspended]) expect(await connect(token)).toBe('link_not_valid');
  expect(await connect(unchanged.token)).toBe('connected');
  clock.set(new Date(Date.now() + 61 * 60_000));
  expect(await connect(late.token)).toBe('link_not_valid');
});

test('an account that was never confirmed gets no link, and whoever registered it keeps nothing once its owner chooses a password', async () => {
  const squatter = await given.user();
  const person = { ...stranger(), email: squatter.email };
  const { body } = await browse().signIn('google', person);
  expect(body).toEqual({ accountExists: { email: squatter.email, isLinkSent: false } });
  expect(await mailsTo(squatter.email, /^Connect/)).toEqual([]);
  // Nor can whoever registered it connect a provider of their own.
  const own = await browse(squatter).as('identities', 'google', stranger());
  expect([own.status, own.body.code]).toEqual([403, 'address_not_confirmed']);
});

test('a changed address at the provider leads into the same account, whose address stays', async () => {
  const person = stranger();
  const { body } = await browse().signIn('google', person);
  const changed = { ...person, email: `new-${person.email}` };
  const again = await browse().signIn('google', changed);
  expect([again.body.data._id, again.body.data.email]).toEqual([body.data._id, person.email]);
  // Also one that belongs to somebody else here, or is not verified.
  const other = await given.member();
  const theirs = await browse().signIn('google', { ...person, email: other.email });
  expect(theirs.body.data._id).toBe(body.data._id);
  standIn.alterClaims((claims) => ({ ...claims, email_verified: false }));
  expect((await browse().signIn('google', person)).body.data._id).toBe(body.data._id);
});

test('the same person id at another provider is somebody else', async () => {
  const person = stranger();
  const { body } = await browse().signIn('google', person);
  const atApple = await browse().signIn('apple', { ...stranger(), sub: person.sub });
  expect(atApple.body.data._id).not.toBe(body.data._id);
});

test.each([
  ['another nonce', { nonce: 'of-another-sign-in' }],
  ['no nonce', { nonce: undefined }],
  ['another issuer', { iss: 'https://accounts.google.com.evil.example' }],
  ['another audience', { aud: 'another-client' }],
  ['an expired token', { exp: 1_700_000_000, iat: 1_699_999_000 }],
  ['no subject', { sub: undefined }],
] as const)('an identity token with %s is refused', async (_, claims) => {
  for (const provider of providers) {
    const before = await countUsers();
    standIn.alterClaims((real) => ({ ...real, ...claims }) as typeof real);
    const { status, body } = await browse().signIn(provider, stranger());
    expect([status, body.code]).toEqual([401, 'provider_refused']);
    expect(await countUsers()).toBe(before);
  }
});

test('an identity token signed with another key is refused', async () => {
  standIn.signWithOtherKey(true);
  const { status, body } = await browse().signIn('google', stranger());
  expect([status, body.code]).toEqual([401, 'provider_refused']);
});

test.each(providers)('what %s sent back works once, in the browser that began it', async (provider) => {
  const [mine, theirs] = [browse(), browse()];
  const person = stranger();
  const back = await mine.go(provider, person);
  await theirs.press(provider);
  // A state and code that an attacker puts into another browser, or one without the cookie.
  for (const other of [theirs, browse()]) expect((await other.finish(back)).body.code).toBe('sign_in_over');
  expect((await mine.finish(back)).status).toBe(200);
  const replayed = await mine.finish(back);
  expect([replayed.status, replayed.body.code]).toEqual([401, 'sign_in_over']);
});

test('a code of another sign-in is refused, also within one browser', async () => {
  const browser = browse();
  const [attacker, victim] = [await browse().go('google', stranger()), await browser.go('google', stranger())];
  const injected = await browser.finish({ ...victim, code: attacker['code'] ?? '' });
  expect([injected.status, injected.body.code]).toEqual([401, 'provider_refused']);
  // And it is not asked again: the state is used up.
  expect((await browser.finish(victim)).body.code).toBe('sign_in_over');
  const [first, second] = [await browser.go('google', stranger()), await browser.go('google', stranger())];
  expect((await browser.finish({ ...first, code: second['code'] ?? '' })).body.code).toBe('provider_refused');
  expect((await browser.finish({ ...(await browser.go('google', stranger())), iss: 'https://evil.example' })).body.code).toBe(
    'provider_refused',
  );
  expect((await browser.finish({ ...(await browser.go('google', stranger())), provider: 'apple' })).body.code).toBe('sign_in_over');
});

test('two tabs of one browser can both sign in', async () => {
  const browser = browse();
  const [one, two] = [await browser.press('google'), await browser.press('apple')];
  const backs = [
    await browser.comeBack('apple', await browser.choose('apple', two, stranger())),
    await browser.comeBack('google', await browser.choose('google', one, stranger())),
  ];
  for (const back of backs) expect((await browser.finish(back)).status).toBe(200);
});

test('what takes longer than ten minutes is over', async () => {
  const browser = browse();
  const back = await browser.go('google', stranger());
  clock.set(new Date(Date.now() + 11 * 60_000));
  expect((await browser.finish(back)).body.code).toBe('sign_in_over');
});

test('the browser goes to the provider with state, nonce and PKCE, and comes back to its own host only', async () => {
  for (const [provider, scope] of [
    ['google', 'openid email profile'],
    ['apple', 'openid email name'],
  ] as const) {
    const browser = browse();
    const url = new URL(await browser.press(provider));
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      response_type: 'code',
      scope,
      code_challenge_method: 'S256',
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
      redirect_uri: `http://localhost:3000/api/auth/with/${provider}/callback`,
    });
    expect(url.searchParams.get('response_mode')).toBe(provider === 'apple' ? 'form_post' : null);
  }
  const start = async (host: string) =>
    new URL(String((await app.inject({ url: '/api/auth/with/google', headers: { host } })).headers['location'])).searchParams.get(
      'redirect_uri',
    );
  expect(await start('nz.localhost:3000')).toBe('http://nz.localhost:3000/api/auth/with/google/callback');
  expect(await start('evil.example')).toBe('http://localhost:3000/api/auth/with/google/callback');
});

test('the page to return to is one of ours', async () => {
  for (const [redirect, kept] of [
    ['/listing/1?message', '/listing/1?message'],
    ['https://evil.example/', '/home'],
    ['//evil.example', '/home'],
    ['/\\evil.example', '/home'],
    ['/\u0000', '/home'],
    [`/${'a'.repeat(3000)}`, '/home'],
  ] as const) {
    expect((await browse().go('google', stranger(), redirect))['redirect']).toBe(kept);
  }
});

test('the cookie belongs to this browser, is not readable by scripts and stays on our site', async () => {
  const { headers } = await browse().ask('GET', '/auth/with/google');
  expect(String(headers['set-cookie'])).toMatch(
    /^provider-authorization=[\w-]{43}; Path=\/api\/auth; Max-Age=600; HttpOnly; SameSite=Lax$/,
  );
  expect(headers['cache-control']).toBe('no-store');
});

test.each(providers)('cancelling at %s leads back and changes nothing', async (provider) => {
  const before = await countUsers();
  const back = await browse().go(provider, null, '/listing/1?message');
  expect(back).toEqual({ provider, error: 'cancelled', redirect: '/listing/1?message' });
  expect(await countUsers()).toBe(before);
});

test('what a stranger sends to the callback is never shown or followed', async () => {
  const query = new URLSearchParams({ error: '<script>', error_description: 'Call us', state: 'x', redirect: 'https://evil.example' });
  const answer = await app.inject({ url: `/api/auth/with/google/callback?${query.toString()}` });
  expect([answer.statusCode, answer.headers['location']]).toEqual([303, '/auth/return#provider=google&error=provider_refused']);
  const twice = await app.inject({ url: '/api/auth/with/google/callback?code=a&code=b&state=c' });
  expect(twice.headers['location']).toBe('/auth/return#provider=google&error=provider_refused');
  for (const user of ['{', 'null', '{"name":7}', '{"name":{"firstName":{}}}', 'x'.repeat(5000)]) {
    const payload = new URLSearchParams({ code: 'a', state: 'b', user }).toString();
    const headers = {
      'content-type': 'application/x-www-form-urlencoded',
      origin: 'https://appleid.apple.com',
      'sec-fetch-site': 'cross-site',
    };
    const posted = await app.inject({ method: 'POST', url: '/api/auth/with/apple/callback', headers, payload });
    expect([posted.statusCode, posted.headers['location']]).toEqual([303, '/auth/return#provider=apple&state=b&code=a']);
  }
  // Nothing else takes a post from another site.
  const other = await app.inject({
    method: 'POST',
    url: '/api/auth/with/finish',
    headers: { origin: 'https://evil.example' },
    payload: {},
  });
  expect(other.json().code).toBe('cross_origin');
});

test.each(['down', 'busy', 'slow', 'unknown-client'] as const)(
  'a provider that is %s is said to be, and nothing changes',
  async (fault) => {
    const before = await countUsers();
    const person = stranger();
    for (const provider of providers) {
      const browser = browse();
      const back = await browser.go(provider, person);
      standIn.setFault(fault);
      const { status, body } = await browser.finish(back);
      expect([status, body.code, body.message]).toEqual([
        503,
        'provider_unavailable',
        expect.stringMatching(/^(Google|Apple) is not answering/),
      ]);
      standIn.setFault(null);
      expect(await countUsers()).toBe(before);
    }
    expect((await browse().signIn('google', person)).body.isNew).toBe(true);
  },
  60_000,
);

test('a provider that is down when the button is pressed leads to the page that says so, and is asked again the next time', async () => {
  const fresh = openIdentityProviders(standIn.settings, parts.context.logger, 5).get('google');
  standIn.setFault('down');
  await expect(fresh?.begin('http://localhost:3000/api/auth/with/google/callback')).rejects.toMatchObject({ code: 'provider_unavailable' });
  standIn.setFault(null);
  expect((await fresh?.begin('http://localhost:3000/api/auth/with/google/callback'))?.url).toMatch(/^http/);
});

test('the second step is still asked', async () => {
  const person = stranger();
  const { body } = await browse().signIn('google', person);
  const user = body.data;
  const { secret } = (await as(user).post('/auth/authenticator')).body;
  const code = (steps = 0) => generateSync({ secret, epoch: Math.floor(clock.now().getTime() / 1000) + 30 * steps });
  expect((await as(user).post('/auth/authenticator/confirm', { code: code() })).status).toBe(200);
  const sessions = async () => (await db.selectFrom('sessions').select('id').where('user_id', '=', user._id).execute()).length;
  const before = await sessions();
  const { status, body: first } = await browse().signIn('google', person);
  expect([status, Object.keys(first), await sessions()]).toEqual([200, ['secondStep'], before]);
  const { token } = first.secondStep;
  expect((await asVisitor.post('/auth/login/second-step', { token, code: '000000' })).status).toBe(400);
  const done = await asVisitor.post('/auth/login/second-step', { token, code: code(1) });
  expect([done.status, done.body.data._id]).toEqual([200, user._id]);
  // Confirming one’s identity at the provider takes it too.
  await db
    .updateTable('sessions')
    .set({ confirmed_at: new Date(0) })
    .where('user_id', '=', user._id)
    .execute();
  const without = await browse(user).as('confirm-identity/with', 'google', person);
  expect([without.status, without.body.errors[0].field]).toEqual([400, 'code']);
  clock.set(new Date(Date.now() + 5 * 60_000));
  expect((await browse(user).as('confirm-identity/with', 'google', person, { code: code() })).body).toEqual({ finished: 'confirm' });
});

test('a suspended account stays closed, and so does its address', async () => {
  const person = stranger();
  const { body } = await browse().signIn('google', person);
  await db.updateTable('users').set({ suspended_at: new Date() }).where('id', '=', body.data._id).execute();
  const before = await countUsers();
  for (const one of [person, { ...stranger(), email: person.email }]) {
    const { status, body: refused } = await browse().signIn('google', one);
    expect([status, refused.code, refused.message]).toEqual([401, 'provider_refused', expect.stringContaining('suspended')]);
  }
  expect(await countUsers()).toBe(before);
});

test.each(providers)('a member connects %s and disconnects it, and is told by email', async (provider) => {
  const member = await given.member();
  const person = stranger();
  const connected = await browse(member).as('identities', provider, person);
  expect([connected.status, connected.body]).toEqual([200, { finished: 'connect' }]);
  expect((await browse().signIn(provider, person)).body.data._id).toBe(member._id);
  const second = await browse(member).as('identities', provider, stranger());
  expect([second.status, second.body.code]).toEqual([409, 'identity_exists']);
  const removed = await as(member).delete(`/auth/identities/${provider}`);
  expect([removed.status, (await as(member).delete(`/auth/identities/${provider}`)).body.code]).toEqual([200, 'identity_not_found']);
  expect((await browse().signIn(provider, { ...person, name: 'Hana Tamihana' })).body.data?._id).not.toBe(member._id);
  const name = provider === 'google' ? 'Google' : 'Apple';
  expect(await mailsTo(member.email, new RegExp(`^${name} was (dis)?connected on`))).toHaveLength(2);
  const log = await db
    .selectFrom('audit_log')
    .select(['what', 'actor_id'])
    .where('subject_id', '=', member._id)
    .where('what', 'like', 'identities.%')
    .orderBy('number')
    .execute();
  expect(log).toEqual([
    { what: 'identities.insert', actor_id: member._id },
    { what: 'identities.delete', actor_id: member._id },
  ]);
});

test('a person at a provider who already signs in to another account cannot be connected', async () => {
  const person = stranger();
  await browse().signIn('google', person);
  const member = await given.member();
  const { status, body } = await browse(member).as('identities', 'google', person);
  expect([status, body.code]).toEqual([409, 'identity_taken']);
  expect(await identitiesOf(member._id)).toEqual([]);
});

test('what one session began to connect cannot be finished by a visitor, another member or another session', async () => {
  const [member, other] = [await given.member(), await given.member()];
  const browser = browse(member);
  const begin = async () => {
    const { body } = await browser.ask('POST', '/auth/identities', { provider: 'google' });
    return browser.comeBack('google', await browser.choose('google', body.url, stranger()));
  };
  const second = (await asVisitor.post('/auth/login', { email: member.email, password: 'correct-horse' })).body.data;
  for (const headers of [{ authorization: '' }, { authorization: `Bearer ${other.token}` }, { authorization: `Bearer ${second.token}` }]) {
    const { redirect: _, ...body } = await begin();
    expect((await browser.ask('POST', '/auth/with/finish', body, headers)).body.code).toBe('sign_in_over');
  }
  expect([await identitiesOf(member._id), await identitiesOf(other._id)]).toEqual([[], []]);
});

test('connecting takes a recent proof of identity, which a connected provider gives', async () => {
  const person = stranger();
  const { body } = await browse().signIn('google', person);
  const user = body.data;
  await db
    .updateTable('sessions')
    .set({ confirmed_at: new Date(0) })
    .where('user_id', '=', user._id)
    .execute();
  const refused = await browse(user).as('identities', 'apple', stranger());
  expect([refused.status, refused.body.code]).toEqual([403, 'confirm_identity']);
  const wrong = await browse(user).as('confirm-identity/with', 'google', stranger());
  expect([wrong.status, wrong.body.code]).toEqual([401, 'provider_refused']);
  expect((await as(user).delete('/auth/identities/google')).body.code).toBe('confirm_identity');
  expect((await browse(user).as('confirm-identity/with', 'apple', stranger())).body.code).toBe('identity_not_found');
  expect((await browse(user).as('confirm-identity/with', 'google', person)).body).toEqual({ finished: 'confirm' });
  expect((await browse(user).as('identities', 'apple', stranger())).body).toEqual({ finished: 'connect' });
});

test('the last way to sign in cannot be removed', async () => {
  const person = stranger();
  const { body } = await browse().signIn('google', person);
  const user = body.data;
  const only = await as(user).delete('/auth/identities/google');
  expect([only.status, only.body.code, (await identitiesOf(user._id)).length]).toEqual([409, 'last_credential', 1]);
  // With another provider.
  await browse(user).as('identities', 'apple', stranger());
  expect((await as(user).delete('/auth/identities/google')).status).toBe(200);
  expect((await as(user).delete('/auth/identities/apple')).body.code).toBe('last_credential');
  // With a passkey, which then cannot be removed.
  const passkey = {
    user_id: user._id,
    credential_id: user._id,
    public_key: Buffer.from('key'),
    counter: 0,
    transports: [],
    rp_id: 'localhost',
    name: 'Phone',
  };
  const { id } = await db.insertInto('passkeys').values(passkey).returning('id').executeTakeFirstOrThrow();
  expect((await as(user).delete('/auth/identities/apple')).status).toBe(200);
  const lastPasskey = await as(user).delete(`/auth/passkeys/${id}`);
  expect([lastPasskey.status, lastPasskey.body.code]).toEqual([409, 'last_credential']);
  // With a password, which the emailed link sets.
  await asVisitor.post('/auth/forgot-password', { email: user.email });
  const { token } = await outbox.mailed(user.email, /^Choose a new password/);
  const reset = await asVisitor.post('/auth/reset-password', { token, password: 'pohutukawa-9' });
  expect(reset.status).toBe(200);
  expect((await as(reset.body.data).delete(`/auth/passkeys/${id}`)).status).toBe(200);
  expect((await asVisitor.post('/auth/login', { email: user.email, password: 'pohutukawa-9' })).status).toBe(200);
});

test('of two removals at once, one way to sign in stays', async () => {
  const { body } = await browse().signIn('google', stranger());
  await browse(body.data).as('identities', 'apple', stranger());
  const answers = await Promise.all(providers.map((provider) => as(body.data).delete(`/auth/identities/${provider}`)));
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
  expect(await identitiesOf(body.data._id)).toHaveLength(1);
});

test('two first sign-ins of one person at once create one account', async () => {
  const person = stranger();
  const browsers = [browse(), browse()];
  const backs = await Promise.all(browsers.map((browser) => browser.go('google', person)));
  const answers = await Promise.all(browsers.map((browser, index) => browser.finish(backs[index] ?? {})));
  expect(answers.filter(({ body }) => body.isNew)).toHaveLength(1);
  expect(await db.selectFrom('users').select('id').where('email', '=', person.email).execute()).toHaveLength(1);
  expect((await browse().signIn('google', person)).status).toBe(200);
});

test('an account without a password says so where one is asked for, and is deleted and exported with what is connected', async () => {
  const person = stranger();
  const { body } = await browse().signIn('google', person);
  const user = body.data;
  const noPassword = [{ field: 'currentPassword', message: 'Your account has no password yet. Choose one under Security first.' }];
  const address = await as(user).put('/auth/email', { email: 'other@example.org', currentPassword: 'pohutukawa-9' });
  expect([address.status, address.body.errors]).toEqual([400, noPassword]);
  const update = await as(user).put('/auth/update', { password: 'kowhai-tree-12', currentPassword: 'pohutukawa-9' });
  expect([update.status, update.body.errors]).toEqual([400, noPassword]);
  await db
    .updateTable('sessions')
    .set({ confirmed_at: new Date(0) })
    .where('user_id', '=', user._id)
    .execute();
  const stale = await as(user).post('/auth/confirm-identity', { password: '!' });
  expect(stale.status).toBe(400);
  expect(
    (
      await app.inject({ method: 'DELETE', url: '/api/auth/account', headers: { authorization: `Bearer ${user.token}` }, payload: {} })
    ).json().code,
  ).toBe('confirm_identity');
  await browse(user).as('confirm-identity/with', 'google', person);
  const gone = await app.inject({
    method: 'DELETE',
    url: '/api/auth/account',
    headers: { authorization: `Bearer ${user.token}` },
    payload: {},
  });
  expect(gone.statusCode).toBe(200);
  expect(await identitiesOf(user._id)).toEqual([]);
  // The person may come back, as somebody new.
  const again = await browse().signIn('google', person);
  expect([again.body.isNew, again.body.data._id === user._id]).toEqual([true, false]);
});

test('an account with a password is not deleted without it', async () => {
  const member = await given.member();
  const answer = await app.inject({
    method: 'DELETE',
    url: '/api/auth/account',
    headers: { authorization: `Bearer ${member.token}` },
    payload: {},
  });
  expect([answer.statusCode, answer.json().errors]).toEqual([400, [{ field: 'currentPassword', message: 'Current password is required' }]]);
});

test('a referral code counts as at any sign-up', async () => {
  const friend = await given.member();
  const { body } = await browse().signIn('google', stranger(), { referralCode: friend.referralCode });
  const { referred_by_code } = await db
    .selectFrom('users')
    .select('referred_by_code')
    .where('id', '=', body.data._id)
    .executeTakeFirstOrThrow();
  expect([referred_by_code, body.isReferred]).toEqual([friend.referralCode, true]);
  // Neither an unknown code nor one that cannot be a code is in the way.
  for (const referralCode of ['REF-NO-SUCH', 'x'.repeat(65), '']) {
    const { body: other } = await browse().signIn('google', stranger(), { referralCode });
    expect([other.isNew, other.isReferred]).toEqual([true, false]);
  }
  const nameless = browse();
  const { token } = (await nameless.signIn('google', stranger(''), { referralCode: friend.referralCode })).body.nameNeeded;
  const named = await nameless.ask('POST', '/auth/with/name', { token, fullName: 'Isla Nguyen' });
  expect(named.status).toBe(201);
  // One that is held or refused has no ticket yet, and the page must not speak of one.
  const person = { ...stranger(), email: 'person@mailinator.com' };
  const { body: refused } = await browse().signIn('google', person, { referralCode: friend.referralCode });
  // The second with an address of one domain.
  const held = named.body;
  const states = [refused, held].map(async ({ data }) => {
    const found = await db.selectFrom('referrals').select('status').where('referred_id', '=', data._id).executeTakeFirstOrThrow();
    return found.status;
  });
  expect(await Promise.all(states)).toEqual(['refused', 'held']);
  expect([refused.isReferred, held.isReferred]).toEqual([false, false]);
});

test('the stand-in shows what people gave as text', async () => {
  standIn.people('google').set('evil', { sub: '"><b id="sub">', name: '<b id="name">', email: '"><b id="email">', verified: true });
  const begun = await fetch(await browse().press('google'), { redirect: 'manual' });
  const cookie = begun.headers
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ');
  const page = await (await fetch(new URL(begun.headers.get('location') ?? '', standIn.url), { headers: { cookie } })).text();
  standIn.people('google').delete('evil');
  expect(page).toContain('name="sub" value="&#34;&#62;&#60;b id=&#34;sub&#34;&#62;"');
  expect(page).not.toContain('<b id=');
});

test('expired authorizations and waiting identities are deleted', async () => {
  await browse().go('google', stranger());
  await browse().signIn('apple', stranger(''));
  clock.set(new Date(Date.now() + 2 * 60 * 60_000));
  await deleteExpiredAuthorizations(db, clock.now());
  expect(await db.selectFrom('authorizations').select('state_hash').execute()).toEqual([]);
  expect(await db.selectFrom('waiting_identities').select('token_hash').execute()).toEqual([]);
});

test('a provider that is not set up is not offered', async () => {
  const beside = await testing.besides({ context: { ...parts.context, identityProviders: new Map() } });
  const [config, start] = [await beside.inject('/api/config'), await beside.inject('/api/auth/with/google')];
  expect([config.json().signInWith, start.headers['location']]).toEqual([[], '/auth/return#provider=google&error=provider_not_found']);
  expect((await app.inject('/api/config')).json().signInWith).toEqual(['google', 'apple']);
  expect((await app.inject('/api/auth/with/constructor')).json().code).toBe('provider_not_found');
  await beside.close();
});

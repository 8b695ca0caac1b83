import { createHash, generateKeyPairSync } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { expect, test } from 'vitest';
import { publicBeacon, readEnv, settingNames } from './env.ts';
import { StartupError } from './kit/startup-error.ts';

const key = (seed: string) => createHash('sha256').update(seed).digest('base64');

const real = {
  NODE_ENV: 'production',
  APP_URL: 'https://handwise.co.nz',
  MAIL_FROM: 'Handwise <hello@handwise.co.nz>',
  SUPPORT_EMAIL: 'support@handwise.co.nz',
  DATABASE_URL: 'postgres://localhost/handwise',
  STRIPE_SECRET_KEY: 'sk_live_1',
  STRIPE_PUBLISHABLE_KEY: 'pk_live_1',
  STRIPE_WEBHOOK_SECRET: 'whsec_9fK2mQ7xVb4TzR1pLw8sYd3HnJ6cGa5E',
  SMTP_URL: 'smtp://localhost',
  PRIZE_KEYS: `{"first":"${key('p')}"}`,
  ACCOUNT_KEYS: `{"first":"${key('a')}"}`,
  LOG_KEY: key('l'),
  INVOICE_NAME: 'Willis Trades Limited',
  INVOICE_ADDRESS: '9 Willis Street, Wellington',
  INVOICE_NZ_GST_NUMBER: '123-456-789',
  INVOICE_AU_ABN: '12 345 678 901',
};

const changeMe = Buffer.from('changeme'.repeat(4)).toString('base64');
const sentence = Buffer.from('the quick brown fox jumps over it').subarray(0, 32).toString('base64');

test('a CDN caches pages only if configured, and its cached pages are skipped by who wrote since', () => {
  const of = (CDN_SECONDS?: string) => readEnv({ ...real, ...(CDN_SECONDS && { CDN_SECONDS }) });
  expect(of()).toMatchObject({ pageCacheControl: 'public, max-age=0, must-revalidate', writeCookieSeconds: 10 });
  expect(of('3')).toMatchObject({ writeCookieSeconds: 10 });
  expect(of('60')).toMatchObject({
    pageCacheControl: 'public, max-age=0, s-maxage=60, stale-while-revalidate=120',
    writeCookieSeconds: 180,
  });
});

test('production has demo accounts only with SANDBOX=1', () => {
  expect(readEnv(real)).toMatchObject({ demoData: false, sandbox: false });
  for (const SANDBOX of ['', '0']) expect(() => readEnv({ ...real, SANDBOX, DEMO_DATA: '1' })).toThrow(/^DEMO_DATA is 1: everybody knows/);
  expect(readEnv({ ...real, DEMO_DATA: '0' }).demoData).toBe(false);
  expect(readEnv({ ...real, SANDBOX: '1' })).toMatchObject({ demoData: true, sandbox: true });
  expect(readEnv({ ...real, SANDBOX: '1', DEMO_DATA: '0' }).demoData).toBe(false);
  expect(readEnv({ NODE_ENV: 'development' }).demoData).toBe(true);
});

test.each(['DATABASE_URL', 'STRIPE_SECRET_KEY', 'SMTP_URL', 'LOG_KEY', 'PRIZE_KEYS', 'ACCOUNT_KEYS'])(
  'production starts the stand-in for %s only with SANDBOX=1',
  (name) => {
    const { [name as keyof typeof real]: _, ...others } = real;
    const variables = name === 'STRIPE_SECRET_KEY' ? { ...others, STRIPE_PUBLISHABLE_KEY: '', STRIPE_WEBHOOK_SECRET: '' } : others;
    expect(() => readEnv(variables)).toThrow(new RegExp(name));
    expect(readEnv({ ...variables, SANDBOX: '1' }).sandbox).toBe(true);
  },
);

test('production receives mail only from confirmed senders', () => {
  const inbound = { ...real, INBOUND_MAIL: 'reply.handwise.nz' };
  expect(readEnv(inbound).inboundMail?.authentication).toEqual({ by: 'dns', relays: [] });
  expect(readEnv({ ...inbound, INBOUND_MAIL_RELAYS: '10.0.0.7, 10.1.0.0/16' }).inboundMail?.authentication).toEqual({
    by: 'dns',
    relays: ['10.0.0.7', '10.1.0.0/16'],
  });
  const header = { INBOUND_MAIL_CHECK: '0', INBOUND_MAIL_AUTHENTICATED_BY: 'mx.handwise.nz' };
  expect(readEnv({ ...inbound, ...header }).inboundMail?.authentication).toEqual({ by: 'header', server: 'mx.handwise.nz' });
  expect(() => readEnv({ ...inbound, INBOUND_MAIL_CHECK: '0' })).toThrow('anybody could write as anybody');
  for (const relays of ['relay.example', '0.0.0.0/0', '0.0.0.0/1,128.0.0.0/1']) {
    expect(() => readEnv({ ...inbound, INBOUND_MAIL_RELAYS: relays })).toThrow('INBOUND_MAIL_RELAYS');
  }
});

test('uses the public beacon in production, the stand-in in a sandbox, and DRAND_URL in both', () => {
  expect(readEnv(real).beacon).toBe(publicBeacon);
  expect(readEnv({ ...real, SANDBOX: '1' }).beacon).toBeNull();
  expect(readEnv({ NODE_ENV: 'development' }).beacon).toBeNull();
  const two = { DRAND_URL: 'https://one.example/, https://two.example' };
  const addresses = ['https://one.example', 'https://two.example'];
  expect(readEnv({ ...real, ...two }).beacon).toEqual({ chain: 'quicknet', addresses });
  expect(readEnv({ ...two, DRAND_CHAIN: 'sandbox' }).beacon).toEqual({ chain: 'sandbox', addresses });
  expect(() => readEnv({ DRAND_URL: 'https://one.example,ftp://two.example' })).toThrow(/DRAND_URL/);
});

test('rejects a chain with a public key in production', () => {
  const sandbox = { ...real, DRAND_URL: 'https://one.example', DRAND_CHAIN: 'sandbox' };
  expect(() => readEnv(sandbox)).toThrow(/DRAND_CHAIN/);
  expect(readEnv({ ...sandbox, SANDBOX: '1' }).beacon?.chain).toBe('sandbox');
});

test.each([
  ['no JSON', 'first'],
  ['no key', '{}'],
  ['a key that is too short', '{"first":"AAAA"}'],
  ['a key that is no base64', `{"first":"${'?'.repeat(44)}"}`],
  ['an id that JSON would sort before others', '{"1":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="}'],
])('rejects keys of prizes and accounts with %s', (_, keys) => {
  expect(() => readEnv({ PRIZE_KEYS: keys })).toThrow(/PRIZE_KEYS/);
  expect(() => readEnv({ ACCOUNT_KEYS: keys })).toThrow(/ACCOUNT_KEYS/);
});

test('uses a business register only with a key', () => {
  expect(readEnv({}).registers).toEqual({ nzbn: null, abn: null, nsw: null });
  expect(readEnv({ NZBN_API_KEY: 'one', ABN_GUID: '' }).registers).toEqual({
    nzbn: { url: 'https://api.business.govt.nz/gateway/nzbn/v5', key: 'one', sandbox: false },
    abn: null,
    nsw: null,
  });
  const nsw = readEnv({ LICENCE_NSW_KEY: 'k', LICENCE_NSW_SECRET: 's', LICENCE_NSW_FIELDS: '{"holder":"licence.name"}' }).registers.nsw;
  expect(nsw).toMatchObject({ key: 'k', secret: 's', sandbox: false, fields: { holder: 'licence.name', number: 'licenceNumber' } });
  expect(nsw?.paths.base).toBe('https://api.onegov.nsw.gov.au/tradesregister/v1');
  expect(readEnv({ ABN_GUID: 'two' }).registers.abn).toEqual({ url: 'https://abr.business.gov.au/json', key: 'two', sandbox: false });
});

test.each([
  ['a test key', { STRIPE_SECRET_KEY: 'sk_test_1', STRIPE_PUBLISHABLE_KEY: 'pk_test_1' }, /STRIPE_SECRET_KEY is a test key/],
  ['a restricted test key', { STRIPE_SECRET_KEY: 'rk_test_1', STRIPE_PUBLISHABLE_KEY: 'pk_test_1' }, /STRIPE_SECRET_KEY is a test key/],
  ['the example of an address', { INVOICE_ADDRESS: '' }, /^INVOICE_ADDRESS is still the example/],
  ['the example of a GST number', { INVOICE_NZ_GST_NUMBER: '000-000-000' }, /^INVOICE_NZ_GST_NUMBER is still the example/],
  ['the example of an ABN', { INVOICE_AU_ABN: '' }, /^INVOICE_AU_ABN is still the example/],
  ['no address of its own', { APP_URL: '' }, /^APP_URL is not set/],
  ['this machine’s own address', { APP_URL: 'https://localhost' }, /^APP_URL is https:\/\/localhost, which nobody else can reach/],
  ['an address by number', { APP_URL: 'https://127.0.0.1:3000' }, /^APP_URL is .* which nobody else can reach/],
  ['an example of an address', { APP_URL: 'https://shop.example' }, /^APP_URL is .* which nobody else can reach/],
  ['another example of an address', { APP_URL: 'https://www.example.com' }, /^APP_URL is .* which nobody else can reach/],
  ['an address that is not encrypted', { APP_URL: 'http://handwise.co.nz' }, /^APP_URL is http:.* sent unencrypted/],
  ['the example of a sender', { MAIL_FROM: '' }, /^MAIL_FROM is Handwise <hello@handwise.example>, where no email arrives/],
  ['a bare example of a sender', { MAIL_FROM: 'hello@example.org' }, /^MAIL_FROM is hello@example.org, where no email arrives/],
  ['the example of a legal person', { INVOICE_NAME: '' }, /^INVOICE_NAME is still the example/],
  ['the example of where people write to', { SUPPORT_EMAIL: '' }, /^SUPPORT_EMAIL is support@handwise.example, where no email arrives/],
  ['the sandbox’s webhook secret', { STRIPE_WEBHOOK_SECRET: 'whsec_sandbox' }, /^STRIPE_WEBHOOK_SECRET is the sandbox’s/],
  [
    'a stand-in for Google and Apple',
    { IDENTITY_SANDBOX_URL: 'http://localhost:1' },
    /^IDENTITY_SANDBOX_URL is set: anybody could sign in/,
  ],
  ['a stand-in for registers', { REGISTERS_SANDBOX_URL: 'http://localhost:1' }, /^REGISTERS_SANDBOX_URL is set/],
  [
    'a webhook secret of its prefix alone',
    { STRIPE_WEBHOOK_SECRET: 'whsec_' },
    /^STRIPE_WEBHOOK_SECRET is not a secret of the payment provider/,
  ],
  ['a webhook secret of one letter', { STRIPE_WEBHOOK_SECRET: 'whsec_x' }, /^STRIPE_WEBHOOK_SECRET is not a secret/],
  ['a placeholder as webhook secret', { STRIPE_WEBHOOK_SECRET: 'whsec_changeme' }, /^STRIPE_WEBHOOK_SECRET is not a secret/],
  [
    'a repeated placeholder as webhook secret',
    { STRIPE_WEBHOOK_SECRET: `whsec_${'changeme'.repeat(4)}` },
    /^STRIPE_WEBHOOK_SECRET is not a secret/,
  ],
  ['a log key of one byte', { LOG_KEY: `${'A'.repeat(43)}=` }, /^LOG_KEY contains a key that is not random/],
  ['a log key of a repeated word', { LOG_KEY: changeMe }, /^LOG_KEY contains a key that is not random/],
  ['a prize key of a repeated word', { PRIZE_KEYS: `{"a":"${changeMe}"}` }, /^PRIZE_KEYS contains a key that is not random/],
  [
    'an older prize key of one byte',
    { PRIZE_KEYS: `{"a":"${key('p')}","b":"${'A'.repeat(43)}="}` },
    /^PRIZE_KEYS contains a key that is not random/,
  ],
  ['an account key of a repeated word', { ACCOUNT_KEYS: `{"a":"${changeMe}"}` }, /^ACCOUNT_KEYS contains a key that is not random/],
  ['a sentence as an account key', { ACCOUNT_KEYS: `{"a":"${sentence}"}` }, /^ACCOUNT_KEYS contains a key that is not random/],
  ['the log key for prizes', { PRIZE_KEYS: `{"a":"${key('l')}"}` }, /^LOG_KEY contains the same key as PRIZE_KEYS/],
  ['the prize key for accounts', { ACCOUNT_KEYS: `{"a":"${key('p')}"}` }, /^PRIZE_KEYS contains the same key as ACCOUNT_KEYS/],
])('production accepts %s only with SANDBOX=1', (_, variables, message) => {
  expect(() => readEnv({ ...real, ...variables })).toThrow(message);
  expect(readEnv({ ...real, ...variables, SANDBOX: '1' }).sandbox).toBe(true);
});

test('rejects keys of two modes, and accepts restricted ones', () => {
  for (const mode of ['production', 'development']) {
    for (const [secret, publishable] of [
      ['sk_live_1', 'pk_test_1'],
      ['sk_test_1', 'pk_live_1'],
      ['rk_live_1', 'pk_test_1'],
    ]) {
      const variables = { ...real, NODE_ENV: mode, SANDBOX: '1', STRIPE_SECRET_KEY: secret, STRIPE_PUBLISHABLE_KEY: publishable };
      expect(() => readEnv(variables)).toThrow(/STRIPE_SECRET_KEY is a (live|test) key but STRIPE_PUBLISHABLE_KEY a (test|live) key/);
    }
  }
  expect(readEnv({ ...real, STRIPE_SECRET_KEY: 'rk_live_1' }).stripe?.secretKey).toBe('rk_live_1');
  for (const key of ['sk_1', 'pk_live_1', 'rk_prod_1'])
    expect(() => readEnv({ ...real, STRIPE_SECRET_KEY: key })).toThrow(/STRIPE_SECRET_KEY: begins/);
  expect(() => readEnv({ ...real, STRIPE_PUBLISHABLE_KEY: 'sk_live_1' })).toThrow(/STRIPE_PUBLISHABLE_KEY: begins/);
});

test.each(['STRIPE_PUBLISHABLE_KEY', 'STRIPE_WEBHOOK_SECRET'])('rejects a secret key without %s', (name) => {
  expect(() => readEnv({ ...real, [name]: '' })).toThrow(`${name} is not`);
  expect(() => readEnv({ ...real, SANDBOX: '1', [name]: '' })).toThrow(`${name} is not`);
});

test('rejects one key for log, prizes and accounts by each name, without printing it', () => {
  const variables = { ...real, LOG_KEY: key('x'), PRIZE_KEYS: `{"a":"${key('x')}"}`, ACCOUNT_KEYS: `{"a":"${key('x')}"}` };
  const refused = () => readEnv(variables);
  for (const name of ['LOG_KEY', 'PRIZE_KEYS', 'ACCOUNT_KEYS']) expect(refused).toThrow(new RegExp(`${name} contains the same key as`));
  expect(refused).not.toThrow(key('x'));
});

test('a search has two seconds, or what the environment says', () => {
  expect([readEnv(real).searchLimitMs, readEnv({ ...real, SEARCH_LIMIT_MS: '900' }).searchLimitMs]).toEqual([2_000, 900]);
  expect(() => readEnv({ ...real, SEARCH_LIMIT_MS: '0' })).toThrow(/SEARCH_LIMIT_MS/);
});

test('reports all problems at once, one line per variable', () => {
  const faultOf = (variables: Record<string, string>) => {
    try {
      readEnv(variables);
    } catch (error) {
      return error instanceof StartupError ? error.lines.map((line) => line.split(/[ :]/, 1)[0]) : error;
    }
    return [];
  };
  expect(faultOf(real)).toEqual([]);
  const names = ['PORT', 'TRUST_PROXY', 'SMTP_URL', 'DRAND_CHAIN', 'DATABASE_URL', 'STRIPE_SECRET_KEY', 'LOG_KEY', 'PRIZE_KEYS'];
  const more = [
    'ACCOUNT_KEYS',
    'INVOICE_NAME',
    'INVOICE_ADDRESS',
    'INVOICE_NZ_GST_NUMBER',
    'INVOICE_AU_ABN',
    'MAIL_FROM',
    'SUPPORT_EMAIL',
    'APP_URL',
  ];
  const variables = { NODE_ENV: 'production', PORT: 'x', TRUST_PROXY: '10.0.0.0/33', SMTP_URL: 'http://x', DRAND_CHAIN: 'sandbox' };
  expect((faultOf(variables) as string[]).toSorted()).toEqual([...names, ...more].toSorted());
});

test('rejects a live key with a stand-in', () => {
  const variables = { ...real, SANDBOX: '1', STRIPE_SANDBOX_URL: 'http://127.0.0.1:1' };
  expect(() => readEnv(variables)).toThrow(/STRIPE_SANDBOX_URL is set but STRIPE_SECRET_KEY is a live key/);
  const tried = readEnv({ ...variables, STRIPE_SECRET_KEY: 'sk_test_1', STRIPE_PUBLISHABLE_KEY: 'pk_test_1' });
  expect(tried.stripe?.apiBase).toBe('http://127.0.0.1:1');
  expect(readEnv(real).stripe?.apiBase).toBeNull();
  const standIn = { ...real, STRIPE_SANDBOX_URL: 'http://127.0.0.1:1' };
  expect(() => readEnv(standIn)).toThrow(/STRIPE_SANDBOX_URL is set: nobody would be charged/);
});

test.each(['10.0.0.7', ' 10.0.0.7 , 10.1.0.0/16', 'loopback,fd00::/8', '::1', '10.0.0.0/1'])('accepts the proxies “%s”', (list) => {
  expect(readEnv({ TRUST_PROXY: list }).trustProxy).toBe(list);
});

test.each(['true', '1', '10.0.0', '10.0.0.7;10.0.0.8', '10.0.0.7,', '10.0.0.0/33', '::/129', '10.0.0.0/8/8', '10.0.0.0/x'])(
  'rejects the proxies “%s”, which are invalid',
  (list) => {
    expect(() => readEnv({ TRUST_PROXY: list })).toThrow(/^TRUST_PROXY: is not a list of addresses/);
  },
);

test.each([
  '0.0.0.0/0',
  '::/0',
  '10.0.0.7,0.0.0.0/1,128.0.0.0/1',
  '128.0.0.0/1 , 64.0.0.0/2,0.0.0.0/2',
  '0.0.0.0/1,128.0.0.0/2,192.0.0.0/3',
  '::ffff:0.0.0.0/96',
  '::ffff:0:0/97,128.0.0.0/1',
  '::/1',
  '2000::/3',
  '2000::/4,loopback,3000::/4',
])('rejects the proxies “%s”, which cover most addresses', (list) => {
  expect(() => readEnv({ TRUST_PROXY: list })).toThrow(/^TRUST_PROXY: covers most addresses/);
});

test('counts proxies that are named twice once', () => {
  expect(() => readEnv({ TRUST_PROXY: '0.0.0.0/2,0.0.0.0/2,10.0.0.0/8,0.0.0.0/3' })).not.toThrow();
});

test('.env.example lists every setting with its default', () => {
  const listed = parseEnv(readFileSync(new URL('../../.env.example', import.meta.url), 'utf8'));
  expect(Object.keys(listed).toSorted()).toEqual(settingNames.toSorted());
  expect(readEnv(listed)).toEqual(readEnv({}));
});

test('street tiles need an attribution and a single origin', () => {
  const MAP_TILES_URL = 'https://tiles.example/{z}/{x}/{y}.png';
  expect(readEnv(real).mapTiles).toBeNull();
  expect(readEnv({ ...real, MAP_TILES_URL, MAP_ATTRIBUTION: '© Streets' }).mapTiles).toEqual({
    url: MAP_TILES_URL,
    attribution: '© Streets',
  });
  expect(() => readEnv({ ...real, MAP_TILES_URL })).toThrow(/^MAP_TILES_URL is set but MAP_ATTRIBUTION is not/);
  for (const wrong of ['https://{s}.tiles.example/{z}/{x}/{y}.png', 'https://tiles.example/', 'ftp://tiles.example/{z}/{x}/{y}', 'tiles'])
    expect(() => readEnv({ ...real, MAP_TILES_URL: wrong, MAP_ATTRIBUTION: '©' })).toThrow(/MAP_TILES_URL: is not an address/);
});

test('the licence register takes a key and its secret, never one of them', () => {
  const both = { LICENCE_NSW_KEY: 'key', LICENCE_NSW_SECRET: 'secret' };
  expect(readEnv({ ...real, ...both }).registers.nsw).toMatchObject({ key: 'key', secret: 'secret', sandbox: false });
  expect(readEnv(real).registers.nsw).toBeNull();
  for (const name of Object.keys(both))
    expect(() => readEnv({ ...real, ...both, [name]: '' })).toThrow(
      new RegExp(`^LICENCE_NSW_KEY, LICENCE_NSW_SECRET belong together: ${name} is not set`),
    );
});

test('offers Google and Apple where all settings of one are there, and nothing without', () => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const google = { GOOGLE_CLIENT_ID: 'one.apps.googleusercontent.com', GOOGLE_CLIENT_SECRET: 'secret' };
  const apple = { APPLE_CLIENT_ID: 'nz.handwise.web', APPLE_TEAM_ID: 'ABCDE12345', APPLE_KEY_ID: 'FGHIJ67890', APPLE_PRIVATE_KEY: pem };
  expect(readEnv(real).identityProviders).toEqual({ google: null, apple: null });
  expect(readEnv({ ...real, ...google }).identityProviders).toEqual({
    google: { issuer: 'https://accounts.google.com', clientId: 'one.apps.googleusercontent.com', secret: 'secret' },
    apple: null,
  });
  const secret = { teamId: 'ABCDE12345', keyId: 'FGHIJ67890', privateKey: pem };
  // A key in one line, as some settings need it.
  for (const APPLE_PRIVATE_KEY of [pem, pem.replaceAll('\n', '\\n')])
    expect(readEnv({ ...real, ...apple, APPLE_PRIVATE_KEY }).identityProviders.apple).toEqual({
      issuer: 'https://appleid.apple.com',
      clientId: 'nz.handwise.web',
      secret,
    });
  for (const name of [...Object.keys(google), ...Object.keys(apple)])
    expect(() => readEnv({ ...real, ...google, ...apple, [name]: '' })).toThrow(new RegExp(`belong together: ${name} is not set`));
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  for (const APPLE_PRIVATE_KEY of [rsa, 'secret'])
    expect(() => readEnv({ ...real, ...apple, APPLE_PRIVATE_KEY })).toThrow(/^APPLE_PRIVATE_KEY: is not the key/);
});

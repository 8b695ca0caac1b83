import { createHash, generateKeyPairSync } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { expect, test } from 'vitest';
import { defaultSite } from '@handwise/contract/site/default-site';
import { publicBeacon, readEnv, settingNames } from './env.ts';
import { StartupError } from './kit/startup-error.ts';

const key = (seed: string) => createHash('sha256').update(seed).digest('base64');

const owner = {
  senderEmail: 'hello@handwise.co.nz',
  supportEmail: 'support@handwise.co.nz',
  legalName: 'Willis Trades Limited',
  legalAddress: '9 Willis Street, Wellington',
  nzGstNumber: '123-456-789',
  abn: '51 824 753 556',
};
const ownedBy = (other: Partial<typeof owner>) => ({ SITE: JSON.stringify({ ...owner, ...other }) });

const real = {
  NODE_ENV: 'production',
  APP_URL: 'https://handwise.co.nz',
  DATABASE_URL: 'postgres://localhost/handwise',
  STRIPE_SECRET_KEY: 'sk_live_1',
  STRIPE_PUBLISHABLE_KEY: 'pk_live_1',
  STRIPE_WEBHOOK_SECRET: 'whsec_9fK2mQ7xVb4TzR1pLw8sYd3HnJ6cGa5E',
  SMTP_URL: 'smtp://localhost',
  PRIZE_KEYS: `{"first":"${key('p')}"}`,
  ACCOUNT_KEYS: `{"first":"${key('a')}"}`,
  LOG_KEY: key('l'),
  SITE: JSON.stringify(owner),
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

test('variables give the first values of the site’s settings, over those of SITE', () => {
  const variables = {
    SITE: '{"name":"Old","accent":"#123456","legalName":"Old Limited"}',
    SITE_NAME: ' Tradie Post ',
    SUPPORT_EMAIL: 'help@tradiepost.nz',
    LEGAL_PERSON: 'Tradie Post Limited',
    LEGAL_ADDRESS: '9 Quay Street, Nelson',
  };
  expect(readEnv(variables).settings).toMatchObject({
    name: 'Tradie Post',
    accent: '#123456',
    supportEmail: 'help@tradiepost.nz',
    legalName: 'Tradie Post Limited',
    legalAddress: '9 Quay Street, Nelson',
  });
  const { nzbn, abn } = defaultSite;
  const numbers = (BUSINESS_NUMBER: string) => readEnv({ BUSINESS_NUMBER }).settings;
  expect(numbers('9429000000017')).toMatchObject({ nzbn: '9429000000017', abn });
  expect(numbers('51 824 753 556')).toMatchObject({ nzbn, abn: '51 824 753 556' });
  expect(() => numbers('51 824 753 557')).toThrow(/BUSINESS_NUMBER: is neither an NZBN nor an ABN/);
  expect(readEnv({ ADMIN_EMAIL: 'mere@example.org' }).adminEmail).toBe('mere@example.org');
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
  const domain = 'reply.handwise.nz';
  const read = (inbound: object, more = {}) => readEnv({ ...real, INBOUND_MAIL: JSON.stringify(inbound), ...more }).inboundMail;
  expect(read({ domain })).toEqual({ domain, port: 2525, authentication: { relays: [] } });
  expect(read({ domain, port: 25, relays: '10.0.0.7, 10.1.0.0/16' })).toEqual({
    domain,
    port: 25,
    authentication: { relays: ['10.0.0.7', '10.1.0.0/16'] },
  });
  expect(read({ domain }, { SANDBOX: '1' })?.authentication).toBeNull();
  for (const relays of ['relay.example', '0.0.0.0/0', '0.0.0.0/1,128.0.0.0/1'])
    expect(() => read({ domain, relays })).toThrow('INBOUND_MAIL.relays');
});

test('a bucket needs its name and both parts of its key', () => {
  const bucket = { bucket: 'pictures', accessKeyId: 'id', secretAccessKey: 'secret' };
  expect(readEnv({ ...real, S3: JSON.stringify(bucket) }).s3).toEqual({ ...bucket, region: 'ap-southeast-2' });
  expect(readEnv(real).s3).toBeNull();
  for (const part of Object.keys(bucket))
    expect(() => readEnv({ ...real, S3: JSON.stringify({ ...bucket, [part]: undefined }) })).toThrow(new RegExp(`^S3.${part}: `));
});

test('uses the public beacon in production, and the stand-in in a sandbox', () => {
  const STAND_INS = '{"beacon":"http://localhost:1"}';
  expect(readEnv(real).beacon).toBe(publicBeacon);
  expect(readEnv({ ...real, SANDBOX: '1' }).beacon).toBeNull();
  expect(readEnv({ NODE_ENV: 'development' }).beacon).toBeNull();
  expect(readEnv({ STAND_INS }).beacon).toEqual({ chain: 'sandbox', addresses: ['http://localhost:1'] });
});

test.each(['10', '{"stripe":"https://api.stripe.com"}', '{"stirpe":"http://localhost:1"}'])('rejects %s as stand-ins', (STAND_INS) => {
  expect(() => readEnv({ STAND_INS })).toThrow(/^STAND_INS/);
});

test('names settings of earlier versions, which have no effect', () => {
  expect(readEnv(real).removedSettings).toEqual([]);
  const earlier = { MAIL_FROM: 'hello@handwise.co.nz', APPLE_PRIVATE_KEY_FILE: '/run/secrets/apple', SITE_ACCENT: '' };
  expect(readEnv({ ...real, ...earlier }).removedSettings).toEqual(['MAIL_FROM', 'APPLE_PRIVATE_KEY']);
  expect(settingNames.filter((name) => readEnv({ [name]: '' }).removedSettings.includes(name))).toEqual([]);
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
  expect(readEnv({ ABN_GUID: 'two' }).registers.abn).toEqual({ url: 'https://abr.business.gov.au/json', key: 'two', sandbox: false });
});

test.each([
  ['a test key', { STRIPE_SECRET_KEY: 'sk_test_1', STRIPE_PUBLISHABLE_KEY: 'pk_test_1' }, /STRIPE_SECRET_KEY is a test key/],
  ['a restricted test key', { STRIPE_SECRET_KEY: 'rk_test_1', STRIPE_PUBLISHABLE_KEY: 'pk_test_1' }, /STRIPE_SECRET_KEY is a test key/],
  ['the example of an address', ownedBy({ legalAddress: defaultSite.legalAddress }), /^LEGAL_ADDRESS is still the example/],
  ['the example of a GST number', ownedBy({ nzGstNumber: '000-000-000' }), /^SITE.nzGstNumber is still the example/],
  ['the example of an ABN', ownedBy({ abn: defaultSite.abn }), /^SITE.abn is still the example/],
  ['no address of its own', { APP_URL: '' }, /^APP_URL is not set/],
  ['this machine’s own address', { APP_URL: 'https://localhost' }, /^APP_URL is https:\/\/localhost, which nobody else can reach/],
  ['an address by number', { APP_URL: 'https://127.0.0.1:3000' }, /^APP_URL is .* which nobody else can reach/],
  ['an example of an address', { APP_URL: 'https://shop.example' }, /^APP_URL is .* which nobody else can reach/],
  ['another example of an address', { APP_URL: 'https://www.example.com' }, /^APP_URL is .* which nobody else can reach/],
  ['an address that is not encrypted', { APP_URL: 'http://handwise.co.nz' }, /^APP_URL is http:.* sent unencrypted/],
  ['the example of a sender', ownedBy({ senderEmail: 'hello@example.org' }), /^SITE.senderEmail is hello@example.org, where no email/],
  ['the example of a legal person', ownedBy({ legalName: defaultSite.legalName }), /^LEGAL_PERSON is still the example/],
  [
    'an address nobody reads',
    ownedBy({ supportEmail: defaultSite.supportEmail }),
    /^SUPPORT_EMAIL is support@handwise.example, where no email/,
  ],
  ['the sandbox’s webhook secret', { STRIPE_WEBHOOK_SECRET: 'whsec_sandbox' }, /^STRIPE_WEBHOOK_SECRET is the sandbox’s/],
  [
    'stand-ins',
    { STAND_INS: '{"identity":"http://localhost:1"}' },
    /^STAND_INS is set: nobody would be charged, and anybody could sign in/,
  ],
  ['the limits of a slow machine', { SLOW_MACHINE: '1' }, /^SLOW_MACHINE is 1/],
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

test('a search has two seconds and a busy server refuses work, unless its machine is slow', () => {
  expect(readEnv(real)).toMatchObject({ searchLimitMs: 2_000, eventLoopDelayMs: 2_000, queueWaitMs: 700 });
  expect(readEnv({ ...real, SANDBOX: '1', SLOW_MACHINE: '1' })).toMatchObject({ searchLimitMs: 20_000, queueWaitMs: 60_000 });
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
  const names = ['PORT', 'TRUST_PROXY', 'SMTP_URL', 'STAND_INS', 'DATABASE_URL', 'STRIPE_SECRET_KEY', 'LOG_KEY', 'PRIZE_KEYS'];
  const settings = ['LEGAL_PERSON', 'LEGAL_ADDRESS', 'SITE.nzGstNumber', 'SITE.abn', 'SITE.senderEmail', 'SUPPORT_EMAIL'];
  const more = ['ACCOUNT_KEYS', ...settings, 'APP_URL'];
  const variables = { NODE_ENV: 'production', PORT: 'x', TRUST_PROXY: '10.0.0.0/33', SMTP_URL: 'http://x', STAND_INS: 'x' };
  expect((faultOf(variables) as string[]).toSorted()).toEqual([...names, ...more].toSorted());
});

test('rejects a live key with a stand-in', () => {
  const variables = { ...real, SANDBOX: '1', STAND_INS: '{"stripe":"http://127.0.0.1:1"}' };
  expect(() => readEnv(variables)).toThrow(/STAND_INS names a stand-in for Stripe but STRIPE_SECRET_KEY is a live key/);
  const tried = readEnv({ ...variables, STRIPE_SECRET_KEY: 'sk_test_1', STRIPE_PUBLISHABLE_KEY: 'pk_test_1' });
  expect(tried.stripe?.apiBase).toBe('http://127.0.0.1:1');
  expect(readEnv(real).stripe?.apiBase).toBeNull();
  const standIn = { ...real, STAND_INS: '{"stripe":"http://127.0.0.1:1"}' };
  expect(() => readEnv(standIn)).toThrow(/STAND_INS is set: nobody would be charged/);
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
  const given = '{"key":"key","secret":"secret","paths":{"verify":"/v2/verify?no={number}"},"fields":{"holder":"licence.name"}}';
  expect(readEnv({ ...real, LICENCE_NSW: given }).registers.nsw).toMatchObject({
    key: 'key',
    secret: 'secret',
    paths: { base: 'https://api.onegov.nsw.gov.au/tradesregister/v1', verify: '/v2/verify?no={number}' },
    fields: { holder: 'licence.name', number: 'licenceNumber' },
    sandbox: false,
  });
  expect(readEnv(real).registers.nsw).toBeNull();
  for (const half of ['{"key":"key"}', '{"key":"key","secret":""}', '{"secret":"secret"}'])
    expect(() => readEnv({ ...real, LICENCE_NSW: half })).toThrow(/^LICENCE_NSW\.(key|secret): /);
});

test('offers Google and Apple where all values of one are there, and nothing without', () => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const google = { clientId: 'one.apps.googleusercontent.com', secret: 'secret' };
  const apple = { clientId: 'nz.handwise.web', teamId: 'ABCDE12345', keyId: 'FGHIJ67890', privateKey: pem };
  expect(readEnv(real).identityProviders).toEqual({ google: null, apple: null });
  expect(readEnv({ ...real, GOOGLE_SIGN_IN: JSON.stringify(google) }).identityProviders).toEqual({
    google: { issuer: 'https://accounts.google.com', ...google },
    apple: null,
  });
  const { clientId, ...secret } = apple;
  expect(readEnv({ ...real, APPLE_SIGN_IN: JSON.stringify(apple) }).identityProviders.apple).toEqual({
    issuer: 'https://appleid.apple.com',
    clientId,
    secret,
  });
  for (const [name, whole] of [
    ['GOOGLE_SIGN_IN', google],
    ['APPLE_SIGN_IN', apple],
  ] as const)
    for (const part of Object.keys(whole))
      expect(() => readEnv({ ...real, [name]: JSON.stringify({ ...whole, [part]: undefined }) })).toThrow(new RegExp(`^${name}.${part}: `));
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  for (const other of [rsa, 'secret'])
    expect(() => readEnv({ ...real, APPLE_SIGN_IN: JSON.stringify({ ...apple, privateKey: other }) })).toThrow(
      /^APPLE_SIGN_IN.privateKey: is not the key/,
    );
});

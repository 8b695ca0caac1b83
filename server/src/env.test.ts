import { expect, test } from 'vitest';
import { publicBeacon, readEnv } from './env.ts';

const real = {
  NODE_ENV: 'production',
  DATABASE_URL: 'postgres://localhost/handwise',
  STRIPE_SECRET_KEY: 'sk_live_1',
  STRIPE_PUBLISHABLE_KEY: 'pk_live_1',
  STRIPE_WEBHOOK_SECRET: 'whsec_1',
  SMTP_URL: 'smtp://localhost',
  PRIZE_KEYS: '{"first":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="}',
  ACCOUNT_KEYS: '{"first":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="}',
  LOG_KEY: 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=',
  INVOICE_ADDRESS: '9 Willis Street, Wellington',
  INVOICE_NZ_GST_NUMBER: '123-456-789',
  INVOICE_AU_ABN: '12 345 678 901',
};

test('in production there are demo accounts only where SANDBOX=1 says so', () => {
  expect(readEnv(real)).toMatchObject({ demoData: false, sandbox: false });
  expect(readEnv({ ...real, DEMO_DATA: '1' }).demoData).toBe(false);
  expect(readEnv({ ...real, SANDBOX: '0', DEMO_DATA: '1' }).demoData).toBe(false);
  expect(readEnv({ ...real, SANDBOX: '1' })).toMatchObject({ demoData: true, sandbox: true });
  expect(readEnv({ ...real, SANDBOX: '1', DEMO_DATA: '0' }).demoData).toBe(false);
  expect(readEnv({ NODE_ENV: 'development' }).demoData).toBe(true);
});

test.each(['DATABASE_URL', 'STRIPE_SECRET_KEY', 'SMTP_URL', 'LOG_KEY', 'PRIZE_KEYS', 'ACCOUNT_KEYS'])(
  'in production the stand-in for %s starts only where SANDBOX=1 says so',
  (name) => {
    const { [name as keyof typeof real]: _, ...others } = real;
    const given = name === 'STRIPE_SECRET_KEY' ? { ...others, STRIPE_PUBLISHABLE_KEY: '', STRIPE_WEBHOOK_SECRET: '' } : others;
    expect(() => readEnv(given)).toThrow(new RegExp(name));
    expect(readEnv({ ...given, SANDBOX: '1' }).sandbox).toBe(true);
  },
);

test('the beacon is the public one in production, the stand-in in a sandbox, and what DRAND_URL names anywhere', () => {
  expect(readEnv(real).beacon).toBe(publicBeacon);
  expect(readEnv({ ...real, SANDBOX: '1' }).beacon).toBeNull();
  expect(readEnv({ NODE_ENV: 'development' }).beacon).toBeNull();
  const two = { DRAND_URL: 'https://one.example/, https://two.example' };
  const addresses = ['https://one.example', 'https://two.example'];
  expect(readEnv({ ...real, ...two }).beacon).toEqual({ chain: 'quicknet', addresses });
  expect(readEnv({ ...two, DRAND_CHAIN: 'sandbox' }).beacon).toEqual({ chain: 'sandbox', addresses });
  expect(() => readEnv({ DRAND_URL: 'https://one.example,ftp://two.example' })).toThrow(/DRAND_URL/);
});

test('a chain whose key everybody knows decides no real draw', () => {
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
])('keys of prizes and accounts with %s are refused at the start', (_, given) => {
  expect(() => readEnv({ PRIZE_KEYS: given })).toThrow(/PRIZE_KEYS/);
  expect(() => readEnv({ ACCOUNT_KEYS: given })).toThrow(/ACCOUNT_KEYS/);
});

test('a register of businesses is asked where there is a key for it, and nobody where there is none', () => {
  expect(readEnv({}).registers).toEqual({ nzbn: null, abn: null });
  expect(readEnv({ NZBN_API_KEY: 'one', ABN_GUID: '' }).registers).toEqual({
    nzbn: { url: 'https://api.business.govt.nz/gateway/nzbn/v5', key: 'one', sandbox: false },
    abn: null,
  });
  expect(readEnv({ ABN_GUID: 'two' }).registers.abn).toEqual({ url: 'https://abr.business.gov.au/json', key: 'two', sandbox: false });
});

test.each([
  ['a test key', { STRIPE_SECRET_KEY: 'sk_test_1', STRIPE_PUBLISHABLE_KEY: 'pk_test_1' }, /STRIPE_SECRET_KEY is a test key/],
  ['a restricted test key', { STRIPE_SECRET_KEY: 'rk_test_1', STRIPE_PUBLISHABLE_KEY: 'pk_test_1' }, /STRIPE_SECRET_KEY is a test key/],
  ['the example of an address', { INVOICE_ADDRESS: '' }, /^INVOICE_ADDRESS would be printed/],
  ['the example of a GST number', { INVOICE_NZ_GST_NUMBER: '000-000-000' }, /^INVOICE_NZ_GST_NUMBER would be printed/],
  [
    'the examples of both tax numbers',
    { INVOICE_NZ_GST_NUMBER: '', INVOICE_AU_ABN: '' },
    /^INVOICE_NZ_GST_NUMBER, INVOICE_AU_ABN would be printed/,
  ],
])('in production %s is taken only where SANDBOX=1 says that it is meant', (_, given, message) => {
  expect(() => readEnv({ ...real, ...given })).toThrow(message);
  expect(readEnv({ ...real, ...given, SANDBOX: '1' }).sandbox).toBe(true);
});

test('keys of two modes are never taken together, and restricted ones are', () => {
  for (const mode of ['production', 'development']) {
    for (const [secret, publishable] of [
      ['sk_live_1', 'pk_test_1'],
      ['sk_test_1', 'pk_live_1'],
      ['rk_live_1', 'pk_test_1'],
    ]) {
      const given = { ...real, NODE_ENV: mode, SANDBOX: '1', STRIPE_SECRET_KEY: secret, STRIPE_PUBLISHABLE_KEY: publishable };
      expect(() => readEnv(given)).toThrow(/STRIPE_SECRET_KEY is a (live|test) key but STRIPE_PUBLISHABLE_KEY a (test|live) key/);
    }
  }
  expect(readEnv({ ...real, STRIPE_SECRET_KEY: 'rk_live_1' }).stripe?.secretKey).toBe('rk_live_1');
  for (const key of ['sk_1', 'pk_live_1', 'rk_prod_1'])
    expect(() => readEnv({ ...real, STRIPE_SECRET_KEY: key })).toThrow(/STRIPE_SECRET_KEY: begins/);
  expect(() => readEnv({ ...real, STRIPE_PUBLISHABLE_KEY: 'sk_live_1' })).toThrow(/STRIPE_PUBLISHABLE_KEY: begins/);
});

test.each(['STRIPE_PUBLISHABLE_KEY', 'STRIPE_WEBHOOK_SECRET'])('a secret key without %s is not taken', (name) => {
  expect(() => readEnv({ ...real, [name]: '' })).toThrow(`${name} is not`);
  expect(() => readEnv({ ...real, SANDBOX: '1', [name]: '' })).toThrow(`${name} is not`);
});

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

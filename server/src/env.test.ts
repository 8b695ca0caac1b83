import { expect, test } from 'vitest';
import { readEnv } from './env.ts';

const real = {
  NODE_ENV: 'production',
  DATABASE_URL: 'postgres://localhost/handwise',
  STRIPE_SECRET_KEY: 'sk_live_1',
  STRIPE_PUBLISHABLE_KEY: 'pk_live_1',
  STRIPE_WEBHOOK_SECRET: 'whsec_1',
  SMTP_URL: 'smtp://localhost',
};

test('in production there are demo accounts only where SANDBOX=1 says so', () => {
  expect(readEnv(real)).toMatchObject({ demoData: false, sandbox: false });
  expect(readEnv({ ...real, DEMO_DATA: '1' }).demoData).toBe(false);
  expect(readEnv({ ...real, SANDBOX: '0', DEMO_DATA: '1' }).demoData).toBe(false);
  expect(readEnv({ ...real, SANDBOX: '1' })).toMatchObject({ demoData: true, sandbox: true });
  expect(readEnv({ ...real, SANDBOX: '1', DEMO_DATA: '0' }).demoData).toBe(false);
  expect(readEnv({ NODE_ENV: 'development' }).demoData).toBe(true);
});

test.each(['DATABASE_URL', 'STRIPE_SECRET_KEY', 'SMTP_URL'])(
  'in production the stand-in for %s starts only where SANDBOX=1 says so',
  (name) => {
    const { [name as keyof typeof real]: _, ...others } = real;
    const given = name === 'STRIPE_SECRET_KEY' ? { ...others, STRIPE_PUBLISHABLE_KEY: '', STRIPE_WEBHOOK_SECRET: '' } : others;
    expect(() => readEnv(given)).toThrow(new RegExp(name));
    expect(readEnv({ ...given, SANDBOX: '1' }).sandbox).toBe(true);
  },
);

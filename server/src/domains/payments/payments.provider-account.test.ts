import { afterAll, expect, test } from 'vitest';
import { startProvider } from '@handwise/sandbox/testing/provider';
import { openStripe } from '../../kit/integrations/stripe.ts';
import { isOfAccount, openProviderAccount } from './payments.provider-account.ts';

const { settings, sandbox } = await startProvider({ proxied: true });
afterAll(() => sandbox.closeProvider());

const refused = (status: number) => ({ status, error: { type: 'invalid_request_error', message: 'No.' } });
const open = (secretKey = settings.secretKey) => openProviderAccount(() => openStripe({ ...settings, secretKey }), secretKey);

test('loads the account once', async () => {
  const account = open();
  const requests: string[] = [];
  sandbox.answerApp(({ path }) => void requests.push(path));
  expect(account.current()).toEqual({ id: null, livemode: false });
  const [first] = await Promise.all([account.load(), account.load()]);
  expect([first, account.current(), await account.load()]).toEqual(
    Array.from({ length: 3 }, () => ({ id: 'acct_sandbox', livemode: false })),
  );
  expect(requests).toEqual(['/v1/account']);
});

test.each([403, 404])('treats the account as unknown when a restricted key may not read it (%s)', async (status) => {
  sandbox.answerApp(() => refused(status));
  expect(await open().load()).toEqual({ id: null, livemode: false });
});

test('fails with a wrong key and tries again next time', async () => {
  const account = open();
  sandbox.answerApp(() => refused(401));
  await expect(account.load()).rejects.toMatchObject({ code: 'payment_provider_refused' });
  sandbox.answerApp();
  expect(await account.load()).toMatchObject({ id: 'acct_sandbox' });
});

test.each([
  ['sk_live_1', true],
  ['rk_live_1', true],
  ['sk_test_1', false],
  ['rk_test_1', false],
])('knows the mode of %s without a request', (key, livemode) => {
  expect(open(key).current()).toEqual({ id: null, livemode });
});

test.each([
  [{ account: null, livemode: null }, { id: 'a', livemode: true }, true],
  [{ account: null, livemode: true }, { id: 'a', livemode: true }, true],
  [{ account: null, livemode: false }, { id: 'a', livemode: true }, false],
  [{ account: 'a', livemode: true }, { id: 'a', livemode: true }, true],
  [{ account: 'a', livemode: true }, { id: null, livemode: true }, true],
  [{ account: 'a', livemode: true }, { id: 'b', livemode: true }, false],
  [{ account: 'a', livemode: false }, { id: 'a', livemode: true }, false],
])('%o belongs to %o: %s', (row, here, belongs) => {
  expect(isOfAccount(row, here)).toBe(belongs);
});

import { startProvider } from '@handwise/sandbox/testing/provider';
import { openStripe } from '../../../kit/outside/stripe.ts';
import { afterAll, expect, test } from 'vitest';
import { belongsTo, openAccount } from './payments.account.ts';

const { settings, sandbox } = await startProvider({ proxied: true });
afterAll(() => sandbox.closeProvider());

const refused = (status: number) => ({ status, error: { type: 'invalid_request_error', message: 'No.' } });
const open = (secretKey = settings.secretKey) => openAccount(() => openStripe({ ...settings, secretKey }), secretKey);

test('the account is asked for once, and known without asking from then on', async () => {
  const account = open();
  const asked: string[] = [];
  sandbox.answerApp(({ path }) => void asked.push(path));
  expect(account.known()).toEqual({ id: null, livemode: false });
  const [first] = await Promise.all([account.ask(), account.ask()]);
  expect([first, account.known(), await account.ask()]).toEqual(Array.from({ length: 3 }, () => ({ id: 'acct_sandbox', livemode: false })));
  expect(asked).toEqual(['/v1/account']);
});

test.each([403, 404])('a restricted key that may not ask (%s) belongs to an account that is not known', async (status) => {
  sandbox.answerApp(() => refused(status));
  expect(await open().ask()).toEqual({ id: null, livemode: false });
});

test('a wrong key is an error, and the account is asked for again', async () => {
  const account = open();
  sandbox.answerApp(() => refused(401));
  await expect(account.ask()).rejects.toMatchObject({ code: 'payment_provider_refused' });
  sandbox.answerApp();
  expect(await account.ask()).toMatchObject({ id: 'acct_sandbox' });
});

test.each([
  ['sk_live_1', true],
  ['rk_live_1', true],
  ['sk_test_1', false],
  ['rk_test_1', false],
])('the mode of %s is known without asking', (key, livemode) => {
  expect(open(key).known()).toEqual({ id: null, livemode });
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
  expect(belongsTo(row, here)).toBe(belongs);
});

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startStripe } from './start-stripe.ts';
import { price, publishableKey, sandbox, sdk, secretKey, webhookSecret } from './try-stripe.ts';

test('keeps its state over a restart', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'stripe-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'stripe.sqlite');
  const first = await startStripe({ file, port: 0, secretKey, publishableKey, webhookSecret, webhookUrl: () => null, processingMs: 50 });
  const customer = await sdk(first.url).customers.create({ email: 'mere@example.org' });
  const open = await sdk(first.url).paymentIntents.create({ ...price, customer: customer.id }, { idempotencyKey: 'one' });
  const slow = await sdk(first.url).paymentIntents.create({ ...price, payment_method: 'pm_card_processing', confirm: true });
  await first.close();
  const { stripe } = await sandbox({ file });
  expect(JSON.stringify(await stripe.paymentIntents.retrieve(open.id))).toBe(JSON.stringify(open));
  expect(await stripe.paymentIntents.create({ ...price, customer: customer.id }, { idempotencyKey: 'one' })).toMatchObject({
    id: open.id,
  });
  expect(await stripe.paymentIntents.confirm(open.id, { payment_method: 'pm_card_visa' })).toMatchObject({ status: 'succeeded' });
  await expect.poll(async () => (await stripe.paymentIntents.retrieve(slow.id)).status).toBe('succeeded');
});

test('has stored all responses that it gave before it was killed', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'stripe-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'stripe.sqlite');
  const script = `
    import { startStripe } from ${JSON.stringify(join(import.meta.dirname, 'start-stripe.ts'))};
    const keys = { secretKey: '${secretKey}', publishableKey: '${publishableKey}', webhookSecret: '${webhookSecret}' };
    const { url } = await startStripe({ file: ${JSON.stringify(file)}, port: 0, ...keys, webhookUrl: () => null });
    process.stdout.write(url);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [address] = (await once(child.stdout, 'data')) as [Buffer];
  const stripe = sdk(address.toString());
  const answered: string[] = [];
  const exited = once(child, 'exit');
  while (answered.length < 25) {
    answered.push((await stripe.paymentIntents.create({ ...price, payment_method: 'pm_card_visa', confirm: true })).id);
  }
  child.kill('SIGKILL');
  await exited;
  const after = await sandbox({ file });
  const found = (await after.stripe.paymentIntents.list({ limit: 100 })).data;
  expect(found.map(({ id }) => id)).toEqual(answered.toReversed());
  expect(found.every(({ status }) => status === 'succeeded')).toBe(true);
});

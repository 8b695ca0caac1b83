import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { startStripe } from '../start-stripe.ts';
import { price, publishableKey, sandbox, sdk, secretKey, webhookSecret } from '../try-stripe.ts';

test('a restart on the same file', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'stripe-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'stripe.sqlite');
  const first = await startStripe({ file, port: 0, secretKey, publishableKey, webhookSecret, webhookUrl: () => null, processingMs: 50 });
  const customer = await sdk(first.url).customers.create({ email: 'mere@example.org' });
  const method = await sdk(first.url).paymentMethods.attach('pm_card_visa', { customer: customer.id });
  const open = await sdk(first.url).paymentIntents.create({ ...price, customer: customer.id }, { idempotencyKey: 'one' });
  const slow = await sdk(first.url).paymentIntents.create({ ...price, payment_method: 'pm_card_processing', confirm: true });
  await first.close();
  const { stripe } = await sandbox({ file });
  expect(JSON.stringify(await stripe.paymentIntents.retrieve(open.id))).toBe(JSON.stringify(open));
  expect(await stripe.paymentIntents.create({ ...price, customer: customer.id }, { idempotencyKey: 'one' })).toMatchObject({
    id: open.id,
  });
  expect(await stripe.paymentIntents.confirm(open.id, { payment_method: method.id })).toMatchObject({ status: 'succeeded' });
  await expect.poll(async () => (await stripe.paymentIntents.retrieve(slow.id)).status).toBe('succeeded');
});

test('a kill of the process: what was answered is there', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'stripe-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'stripe.sqlite');
  const script = `
    import { startStripe } from ${JSON.stringify(join(import.meta.dirname, '../start-stripe.ts'))};
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

test('a file from before objects had an account', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'stripe-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'stripe.sqlite');
  const old = new DatabaseSync(file);
  const body = JSON.stringify({ id: 'cus_old', object: 'customer', email: 'mere@example.org', livemode: false });
  old.exec(`
    create table objects (seq integer primary key, id text not null unique, object text not null, body text not null);
    create table answers (key text primary key, request text not null, request_id text not null, status integer not null, body text not null);
    insert into objects (id, object, body) values ('cus_old', 'customer', '${body}');`);
  old.close();
  const first = await startStripe({ file, port: 0, secretKey, publishableKey, webhookSecret, webhookUrl: () => null });
  const intent = await sdk(first.url).paymentIntents.create({ ...price, customer: 'cus_old' }, { idempotencyKey: 'one' });
  await first.close();
  const { stripe } = await sandbox({ file });
  expect(await stripe.customers.retrieve('cus_old')).toMatchObject({ email: 'mere@example.org' });
  expect((await stripe.paymentIntents.list({ customer: 'cus_old' })).data.map(({ id }) => id)).toEqual([intent.id]);
});

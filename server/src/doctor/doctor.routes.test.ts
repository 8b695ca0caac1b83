import { expect, test } from 'vitest';
import type { Finding } from '@handwise/contract/site/health';
import { testApp } from '@handwise/sandbox/testing/app';

const { given, callers, sandbox } = await testApp();
const admin = await given.administrator();
const check = (caller: { post: (url: string, body: object) => Promise<{ status: number; body: any }> }, body: object) =>
  caller.post('/admin/health', body);

test('an administrator sees what the doctor finds: what works, and what to do about the rest', async () => {
  const { status, body } = await check(callers.as(admin), { sendEmail: true });
  expect(status).toBe(200);
  const findings = new Map((body.findings as Finding[]).map((finding) => [finding.name, finding]));
  expect(findings.get('database')).toMatchObject({ state: 'ok', todo: null });
  expect(findings.get('files')).toMatchObject({ state: 'ok' });
  expect(findings.get('email')).toMatchObject({ state: 'warn', todo: expect.stringContaining('SMTP_URL') });
  // The database of the tests need not survive a power cut.
  expect(findings.get('database settings')).toMatchObject({ state: 'fail', says: expect.stringContaining('fsync is off') });
});

test('administrators who ask at the same time share one check', async () => {
  // Each check sets up a card at the provider and cancels it.
  const setUps = async () => (await sandbox.provider.setupIntents.list({ limit: 100 })).data.length;
  const before = await setUps();
  await Promise.all([1, 2, 3].map(() => check(callers.as(admin), { sendEmail: false })));
  expect(await setUps()).toBe(before + 1);
});

test('nobody else does, and nothing is checked without the choice whether to send an email', async () => {
  expect((await check(callers.as(await given.user()), { sendEmail: false })).status).toBe(403);
  expect((await check(callers.asVisitor, { sendEmail: false })).status).toBe(401);
  expect((await check(callers.as(admin), {})).status).toBe(400);
});

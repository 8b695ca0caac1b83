import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { testApp } from '@handwise/sandbox/testing/app';
import { afterAll, expect, test } from 'vitest';
import { makeBreachedFilter } from '../../kit/identity/breached-passwords.ts';

const dir = mkdtempSync(join(tmpdir(), 'handwise-passwords-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));
const filter = join(dir, 'breached.filter');
writeFileSync(join(dir, 'list'), 'tāne-mahuta-77\n');
await makeBreachedFilter(join(dir, 'list'), filter);

const { callers, given, outbox } = await testApp({ BREACHED_PASSWORDS_FILE: filter });
const { as, asVisitor } = callers;

let made = 0;
const register = (password: string) => {
  made += 1;
  const form = { fullName: 'Hinemoa Paki', username: `waka_builder_${made}`, email: `carver${made}@example.org`, password };
  return asVisitor.post('/auth/register', form);
};
const change = (user: { token: string }, password: string) => as(user).put('/auth/update', { password, currentPassword: 'correct-horse' });
async function chooseAnew(user: { email: string }, password: string) {
  await asVisitor.post('/auth/forgot-password', { email: user.email });
  await outbox.runJobs();
  const mail = (await outbox.mails()).findLast((one) => one.to === user.email && one.subject.startsWith('Choose a new password'));
  const button = mail?.blocks.find((block) => block.kind === 'button');
  const token = new URL(button?.url ?? 'http://nowhere').searchParams.get('token');
  return asVisitor.post('/auth/reset-password', { token, password });
}
const paki = () => {
  made += 1;
  return given.user({ fullName: 'Hinemoa Paki', username: `waka_builder_${made}`, email: `carver${made}@example.org` });
};

/** What registering, changing and choosing anew say to a password, which changes nothing. */
async function refusalsOf(password: string) {
  const user = await paki();
  const answers = [await register(password), await change(user, password), await chooseAnew(user, password)];
  expect((await asVisitor.post('/auth/login', { email: user.email, password: 'correct-horse' })).status).toBe(200);
  return new Set(answers.map(({ status, body }) => `${status} ${body.errors?.[0]?.field}: ${body.message}`));
}

test('a password made of the account’s own words is refused when registering, changing and choosing anew', async () => {
  for (const password of ['hinemoa-paki', 'Builder2026!', 'carver99', 'handwise1']) {
    expect(await refusalsOf(password)).toEqual(
      new Set(['400 password: This password is based on your own name or address. Choose another one.']),
    );
  }
});

test('a breached password is refused when registering, changing and choosing anew', async () => {
  expect(await refusalsOf('tāne-mahuta-77')).toEqual(
    new Set(['400 password: This password has turned up in a data breach, so others know it. Choose another one.']),
  );
});

test('a common password is refused when registering, changing and choosing anew', async () => {
  expect(await refusalsOf('football1')).toEqual(new Set(['400 password: This password is too common']));
});

test('a password that is none of these is taken when registering, changing and choosing anew', async () => {
  expect((await register('kauri-and-rimu')).status).toBe(201);
  const user = await paki();
  expect((await change(user, 'kauri-and-rimu')).status).toBe(200);
  expect((await chooseAnew(user, 'rimu-and-kauri')).status).toBe(200);
});

import { expect, test } from 'vitest';
import { testApp } from '@handwise/sandbox/testing/app';

const { callers, given, outbox } = await testApp();
const { as, asVisitor } = callers;

let made = 0;
const register = (password: string) => {
  made += 1;
  const form = { fullName: 'Hinemoa Paki', username: `waka_builder_${made}`, email: `carver${made}@example.org`, password };
  return asVisitor.post('/auth/register', form);
};
const change = (user: { token: string }, password: string) => as(user).put('/auth/update', { password, currentPassword: 'correct-horse' });
async function resetPassword(user: { email: string }, password: string) {
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

/** The errors of registration, change and reset; the stored password must still work. */
async function refusalsOf(password: string) {
  const user = await paki();
  const answers = [await register(password), await change(user, password), await resetPassword(user, password)];
  expect((await asVisitor.post('/auth/login', { email: user.email, password: 'correct-horse' })).status).toBe(200);
  return new Set(answers.map(({ status, body }) => `${status} ${body.errors?.[0]?.field}: ${body.message}`));
}

test('rejects a password made of the account’s own words at registration, change and reset', async () => {
  for (const password of ['hinemoa-paki', 'Builder2026!', 'carver99', 'handwise1']) {
    expect(await refusalsOf(password)).toEqual(
      new Set(['400 password: This password is based on your own name or address. Choose another one.']),
    );
  }
});

test('rejects a common password at registration, change and reset', async () => {
  expect(await refusalsOf('football1')).toEqual(new Set(['400 password: This password is too common']));
});

test('accepts any other password at registration, change and reset', async () => {
  expect((await register('kauri-and-rimu')).status).toBe(201);
  const user = await paki();
  expect((await change(user, 'kauri-and-rimu')).status).toBe(200);
  expect((await resetPassword(user, 'rimu-and-kauri')).status).toBe(200);
});

import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { testDatabase } from '@handwise/sandbox/testing/database';
import { openDatabase } from '@handwise/server/kit/database';

const { url } = await testDatabase();
const { db, close } = openDatabase({ url, connections: 2, onIdleError: () => {} });
afterAll(close);
const script = fileURLToPath(new URL('admin-grant.ts', import.meta.url));

const grant = (...args: string[]) =>
  new Promise<[number, string]>((done) => {
    execFile(process.execPath, [script, ...args], { env: { ...process.env, DATABASE_URL: url } }, (error, stdout, stderr) =>
      done([error ? Number(error.code) : 0, (stdout + stderr).trim()]),
    );
  });
const roleOf = async (email: string) =>
  (await db.selectFrom('users').select('role').where('email', '=', email).executeTakeFirstOrThrow()).role;

async function account(name: string, confirmed: boolean) {
  const email = `${name}@example.org`;
  const user = { full_name: 'Mere Kingi', username: name, email, password_hash: 'x', referral_code: `REF-${name}` };
  await db
    .insertInto('users')
    .values({ ...user, email_confirmed_at: confirmed ? new Date() : null })
    .execute();
  return email;
}

test('grants the role only to the account with this confirmed address, ignoring case', async () => {
  const [mere, tama] = [await account('mere', true), await account('tama', false)];
  expect(await grant('Mere@Example.org')).toEqual([0, 'Mere@Example.org is now an administrator.']);
  expect(await roleOf(mere)).toBe('admin');
  expect(await grant(mere)).toEqual([0, `${mere} is now an administrator.`]);
  expect(await grant(tama)).toEqual([1, `${tama} is not an administrator: the account has not confirmed its address yet.`]);
  expect(await roleOf(tama)).toBe('user');
  expect(await grant('nobody@example.org')).toEqual([
    1,
    'nobody@example.org is not an administrator: there is no account with this address yet.',
  ]);
  expect(await grant()).toEqual([1, 'Usage: npm run admin:grant -- <email>']);
});

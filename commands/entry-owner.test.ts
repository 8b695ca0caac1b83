import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { testApp } from '@handwise/sandbox/testing/app';
import { issueTickets } from '@handwise/server/domains/tickets/tickets.service';

const keys = { PRIZE_KEYS: JSON.stringify({ first: Buffer.alloc(32, 5).toString('base64') }) };
const { db, given, callers, parts } = await testApp(keys);
const script = fileURLToPath(new URL('entry-owner.ts', import.meta.url));

const owner = (...args: string[]) =>
  new Promise<[number, string]>((done) => {
    execFile(
      process.execPath,
      [script, ...args],
      { env: { ...process.env, ...keys, DATABASE_URL: parts.databaseUrl } },
      (error, stdout, stderr) => done([error ? Number(error.code) : 0, (stdout + stderr).trim()]),
    );
  });

test('finds the owner of an entry, also after account deletion, until it is erased', async () => {
  const user = await given.user({ fullName: 'Aroha Ngata', username: 'aroha_n', email: 'aroha@example.org' });
  const { entryId } = await db
    .transaction()
    .execute((tx) => issueTickets(tx, parts.context, { userId: user._id, tickets: 1, source: 'signup' }));
  const found = [0, `Entry ${entryId} belongs to Aroha Ngata (aroha_n), aroha@example.org.`];
  expect(await owner(entryId)).toEqual(found);
  expect((await callers.as(user).delete('/auth/account', { currentPassword: 'correct-horse' })).status).toBe(200);
  expect(await owner(entryId)).toEqual(found);
  await db.deleteFrom('sealed_entrants').execute();
  expect(await owner(entryId)).toEqual([1, `Entry ${entryId} belonged to somebody who has left. Who it was has been erased.`]);
  expect(await owner('0'.repeat(32))).toEqual([1, `There is no entry ${'0'.repeat(32)}.`]);
  expect(await owner()).toEqual([1, 'Usage: npm run entry:owner -- <entry id>']);
});

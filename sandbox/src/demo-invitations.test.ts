import { expect, test } from 'vitest';
import { fillDemoInvitations } from '@handwise/demo/demo-invitations';
import { testApp } from '@handwise/sandbox/testing/app';
import { listImports } from '@handwise/server/domains/invitations/invitations.import';
import { readEnv } from '@handwise/server/env';

const { db, given, outbox, parts } = await testApp();
const env = readEnv({ NODE_ENV: 'test', APP_URL: 'http://localhost:3000' });

test('the demo has two finished imports with invitations in each state, and no email', async () => {
  const admin = await given.administrator();
  await db.updateTable('users').set({ email: 'admin@example.com' }).where('id', '=', admin._id).execute();
  const { seller_id: sellerId, id } = await given.listing();
  await db.updateTable('listings').set({ business_email: 'hello@kiwi-plumbing.example' }).where('id', '=', id).execute();
  await db.updateTable('users').set({ email: 'kiwi@people.example' }).where('id', '=', sellerId).execute();
  await fillDemoInvitations(env, parts.databaseUrl);
  const [newest, oldest] = await listImports(db);
  expect(oldest).toMatchObject({ rows: 5, counts: { invite: 4, invalid: 1 }, finishedAt: expect.any(String) });
  expect(newest).toMatchObject({ rows: 3, counts: { invite: 2, refused: 1 }, finishedAt: expect.any(String) });
  const states = await db
    .selectFrom('invitations')
    .select(['status', 'claimed_by', (eb) => eb('reminded_at', 'is not', null).as('reminded')])
    .orderBy('status')
    .orderBy('reminded')
    .execute();
  expect(states).toEqual([
    { status: 'claimed', claimed_by: sellerId, reminded: false },
    { status: 'open', claimed_by: null, reminded: false },
    { status: 'open', claimed_by: null, reminded: false },
    { status: 'open', claimed_by: null, reminded: true },
    { status: 'open', claimed_by: null, reminded: true },
    { status: 'refused', claimed_by: null, reminded: false },
  ]);
  expect(await outbox.mails()).toEqual([]);
});

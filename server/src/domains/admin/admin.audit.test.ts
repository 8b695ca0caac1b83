import { pino } from 'pino';
import { expect, test } from 'vitest';
import { testApp } from '@handwise/sandbox/testing/app';
import { hasHead } from '../../composition/audit.ts';
import { logHead } from './admin.audit.ts';

const { db, given, callers, parts } = await testApp();
const { as, asVisitor } = callers;

async function administrator(fullName = 'Aroha Ngata') {
  const user = await given.user({ fullName });
  await db.updateTable('users').set({ role: 'admin' }).where('id', '=', user._id).execute();
  return user;
}

test('rejects administrators’ calls from visitors and other users, and logs the user', async () => {
  const user = await given.user();
  expect((await asVisitor.get('/admin/audit')).status).toBe(401);
  const { status, body } = await as(user).get('/admin/audit?page=1');
  expect([status, body.code]).toEqual([403, 'forbidden']);
  const lines = parts.logged.map((line) => JSON.parse(line));
  expect(lines).toContainEqual(expect.objectContaining({ level: 40, userId: user._id, method: 'GET', url: '/api/admin/audit?page=1' }));
});

test('rejects the next request of an administrator who loses the role or is suspended', async () => {
  const admin = await administrator();
  expect((await as(admin).get('/admin/audit')).status).toBe(200);
  await db.updateTable('users').set({ role: 'user' }).where('id', '=', admin._id).execute();
  expect((await as(admin).get('/admin/audit')).status).toBe(403);
  await db.updateTable('users').set({ role: 'admin', suspended_at: new Date() }).where('id', '=', admin._id).execute();
  expect((await as(admin).get('/admin/audit')).status).toBe(401);
});

test('lists the log newest first, by page, subject or table, with the head of its chain', async () => {
  const admin = await administrator();
  const user = await given.user();
  const setRole = (role: 'user' | 'admin') => db.updateTable('users').set({ role }).where('id', '=', user._id).execute();
  await setRole('admin');
  await setRole('user');
  const { body } = await as(admin).get(`/admin/audit?subject=${user._id}`);
  expect(body).toMatchObject({ total: 2, totalPages: 1, currentPage: 1 });
  expect(body.entries).toMatchObject([
    { what: 'users.update', subjectId: user._id, actor: null, program: 'handwise', before: { role: 'admin' }, after: { role: 'user' } },
    { before: { role: 'user' }, after: { role: 'admin' } },
  ]);
  expect(body.head).toEqual({ number: body.entries[0].number, hash: body.entries[0].hash });
  const second = await as(admin).get(`/admin/audit?subject=${user._id}&page=2&limit=1`);
  expect(second.body).toMatchObject({ entries: [body.entries[1]], totalPages: 2 });
  await given.listing();
  const tables = async (table: string) =>
    new Set((await as(admin).get(`/admin/audit?table=${table}`)).body.entries.map((one: { what: string }) => one.what.split('.')[0]));
  expect([await tables('users'), await tables('subscriptions')]).toEqual([new Set(['users']), new Set(['subscriptions'])]);
  expect((await as(admin).get('/admin/audit?table=sessions')).status).toBe(400);
});

test('logs the head of the chain in the format of the audit command', async () => {
  await administrator();
  const lines: string[] = [];
  await logHead({ db, logger: pino({ level: 'info' }, { write: (line: string) => void lines.push(line) }) });
  const { head } = JSON.parse(lines[0] ?? '{}') as { head: string };
  const [number, hash = ''] = head.split(':');
  expect(await hasHead(db, { number: Number(number), hash })).toBe(true);
});

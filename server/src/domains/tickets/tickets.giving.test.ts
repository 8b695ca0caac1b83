import { createTransport } from 'nodemailer';
import { expect, test } from 'vitest';
import { givenReasonMaxLength } from '@handwise/contract/tickets/calls';
import { parseHead } from '@handwise/proof/checkpoint';
import { findHeads } from '@handwise/proof/mail';
import { testApp } from '@handwise/sandbox/testing/app';
import { renderMail } from '../../kit/mail/mail-layout.ts';

const { db, given, callers, outbox } = await testApp();
const { as } = callers;

const administrator = async () => {
  const user = await given.user();
  await db.updateTable('users').set({ role: 'admin', email_confirmed_at: new Date() }).where('id', '=', user._id).execute();
  return user;
};
const grantTickets = (
  admin: { token: string },
  userId: string,
  tickets: unknown = 3,
  reason: unknown = 'You found a fault in our terms.',
) => as(admin).post('/admin/entries', { userId, tickets, reason });
const mailsTo = async (email: string) =>
  (await outbox.mails()).filter((mail) => mail.to === email && /for this month’s draw/.test(mail.subject));
const entriesOf = (userId: string) => db.selectFrom('draw_entries').selectAll().where('user_id', '=', userId).execute();

test('emails tickets given by an administrator with a head that includes them, and writes the audit log', async () => {
  const [admin, user] = [await administrator(), await given.user()];
  const answer = await grantTickets(admin, user._id, 50);
  expect(answer).toMatchObject({ status: 201, body: { entry: { source: 'other', status: 'active', tickets: 50, voidReason: null } } });
  const [entry] = await entriesOf(user._id);
  expect(entry).toMatchObject({ id: answer.body.entry.id, tickets: 50, source: 'other' });
  const [mail] = await mailsTo(user.email);
  expect(mail?.subject).toBe('You have 50 tickets more for this month’s draw');
  expect(mail?.blocks).toContainEqual({ kind: 'quote', text: 'You found a fault in our terms.' });
  const foot = mail?.blocks.at(-1);
  const head = parseHead(`${foot?.kind === 'fixed' ? foot.text : ''}\n`);
  expect(head?.size).toBe((entry?.leaf_index ?? 0) + 1);
  // The email's source and the text that a mail program shows.
  if (!mail) throw new Error('no mail');
  const { html, text } = renderMail(mail, 'http://localhost:3000');
  const { message } = await createTransport({ streamTransport: true, buffer: true }).sendMail({
    from: 'a@example.org',
    to: mail.to,
    html,
    text,
  });
  for (const copy of [text, html, String(message)]) expect(findHeads(copy)).toEqual([head]);
  const { body: audit } = await as(admin).get('/admin/audit?table=given_entries');
  expect(audit.entries[0]).toMatchObject({
    what: 'given_entries.insert',
    actor: { _id: admin._id },
    after: { entry_id: entry?.id, user_id: user._id, tickets: 50, given_by: admin._id, reason: 'You found a fault in our terms.' },
  });
});

test.each([[0], [51], [1.5], ['3']])('rejects giving %j tickets', async (tickets) => {
  const [admin, user] = [await administrator(), await given.user()];
  expect(await grantTickets(admin, user._id, tickets)).toMatchObject({ status: 400, body: { errors: [{ field: 'tickets' }] } });
  expect(await entriesOf(user._id)).toEqual([]);
});

test('rejects giving tickets without a reason', async () => {
  const [admin, user] = [await administrator(), await given.user()];
  for (const reason of ['', ' ', 'x'.repeat(givenReasonMaxLength + 1)]) {
    expect(await grantTickets(admin, user._id, 1, reason)).toMatchObject({ status: 400, body: { errors: [{ field: 'reason' }] } });
  }
  expect((await grantTickets(admin, user._id, 1, 'x'.repeat(givenReasonMaxLength))).status).toBe(201);
});

test('rejects giving tickets without the administrator role', async () => {
  const user = await given.user();
  expect((await grantTickets(user, user._id)).status).toBe(403);
  expect(await entriesOf(user._id)).toEqual([]);
});

test('rejects giving tickets to administrators, suspended and unknown accounts', async () => {
  const [admin, other, suspended] = [await administrator(), await administrator(), await given.user()];
  await db.updateTable('users').set({ suspended_at: new Date() }).where('id', '=', suspended._id).execute();
  for (const one of [admin, other, suspended]) {
    expect(await grantTickets(admin, one._id)).toMatchObject({ status: 409, body: { code: 'takes_no_part' } });
    expect(await entriesOf(one._id)).toEqual([]);
    expect(await mailsTo(one.email)).toEqual([]);
  }
  const deleted = await given.user();
  await db.updateTable('users').set({ deleted_at: new Date() }).where('id', '=', deleted._id).execute();
  for (const id of [deleted._id, '00000000-0000-4000-8000-000000000000']) {
    expect(await grantTickets(admin, id)).toMatchObject({ status: 404, body: { code: 'user_not_found' } });
  }
});

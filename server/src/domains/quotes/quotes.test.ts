import { randomUUID } from 'node:crypto';
import sharp from 'sharp';
import { beforeEach, expect, test } from 'vitest';
import { addDays, getDay } from '@handwise/contract/dates';
import { money } from '@handwise/contract/money';
import { formatQuantity } from '@handwise/contract/quotes/amounts';
import type { Quote } from '@handwise/contract/quotes/calls';
import { site } from '@handwise/contract/site/site';
import { testApp } from '@handwise/sandbox/testing/app';
import { readPdfText } from '@handwise/sandbox/testing/pdf';
import { times } from '@handwise/sandbox/testing/times';
import { countAttempt } from '../../kit/identity/attempts.ts';
import { emailUnseenMessages } from '../messages/messages.notify.ts';
import { sendQuote } from './quotes.service.ts';

const { app, db, given, callers, outbox, parts, pushes } = await testApp();
const { as, asVisitor } = callers;
const { clock, context } = parts;

const start = new Date('2027-03-01T00:00:00Z');
beforeEach(() => clock.set(start));

type User = Awaited<ReturnType<typeof given.user>>;

const confirmedUser = async (fullName: string) => given.confirmed(await given.user({ fullName }));
/** A business and a customer who has written to it. */
async function startConversation(listing: object = {}) {
  const [seller, buyer] = [await confirmedUser('Mere Kingi'), await confirmedUser('Tama Rua')];
  const { id: listingId } = await given.listing({ sellerId: seller._id, ...listing });
  const { body } = await as(buyer).post('/email/send', { sellerId: seller._id, listingId, message: 'My tap drips.' });
  return { seller, buyer, listingId, id: body.conversationId as string };
}

const today = getDay(start, 'Pacific/Auckland');
const work = [
  { description: 'Labour', quantityMilli: 2_500, unitMinor: 9_500 },
  { description: 'Tap washer', quantityMilli: 3_000, unitMinor: 333 },
];
const createForm = (conversationId: string, more: object = {}) => ({
  conversationId,
  clientId: randomUUID(),
  kind: 'quote' as const,
  gstIncluded: true,
  validUntil: addDays(today, 14),
  lines: work,
  notes: 'Friday morning suits.',
  startsOn: '',
  ...more,
});
const send = (user: User, conversationId: string, more: object = {}) => as(user).post('/quotes', createForm(conversationId, more));
async function sent(user: User, conversationId: string, more: object = {}): Promise<Quote> {
  const { status, body } = await send(user, conversationId, more);
  if (status !== 201) throw new Error(JSON.stringify(body));
  return body;
}
const list = async (user: User, id: string): Promise<Quote[]> => (await as(user).get(`/quotes?conversationId=${id}`)).body.quotes;
const statesOf = async (user: User, id: string) => (await list(user, id)).map(({ state }) => state);
const accept = (user: User, { _id }: { _id: string }) => as(user).post(`/quotes/${_id}/accept`);
const decline = (user: User, { _id }: { _id: string }, body: object = { reason: 'price' }) => as(user).post(`/quotes/${_id}/decline`, body);
const withdraw = (user: User, { _id }: { _id: string }) => as(user).post(`/quotes/${_id}/withdraw`);
const markSeen = (user: User, { _id }: { _id: string }) => as(user).post(`/quotes/${_id}/seen`);
const mailsTo = async ({ email }: User) =>
  (await outbox.mails()).filter(({ to, limit }) => to === email && limit?.kind.startsWith('quote.'));
const eventsOf = async (user: User) =>
  (await db.selectFrom('user_events').select('data').where('kind', '=', 'quote').where('user_id', '=', user._id).execute()).length;
const refused = (status: number, code: string, message?: RegExp) => ({
  status,
  body: { code, ...(message && { message: expect.stringMatching(message) }) },
});

test('both sides of a quote are reminded of the building rules that its total reaches where the work is', async () => {
  const brisbane = { district: 1901, subCategory: 401, category: 4 };
  const { seller, buyer, id } = await startConversation(brisbane);
  const { body } = await as(seller).get(`/quotes?conversationId=${id}`);
  expect(body.buildingRules.map((rule: { fromMinor: number }) => rule.fromMinor)).toEqual([330_000, 2_000_000]);
  const line = { description: 'Deck', quantityMilli: 1_000 };
  await sent(seller, id, { lines: [{ ...line, unitMinor: 329_999 }] });
  expect((await list(buyer, id))[0]?.buildingRule).toBeNull();
  await sent(seller, id, { lines: [{ ...line, unitMinor: 330_000 }] });
  for (const user of [seller, buyer]) {
    expect((await list(user, id))[0]?.buildingRule).toMatchObject({ regulator: 'QBCC', contract: expect.stringMatching(/level 1/) });
  }
  const cleaning = await startConversation({ ...brisbane, category: 1, subCategory: 101 });
  expect(await sent(cleaning.seller, cleaning.id, { lines: [{ ...line, unitMinor: 5_000_000 }] })).toMatchObject({ buildingRule: null });
});

test('the business of a conversation sends a quote, which both sides see with exact amounts', async () => {
  const { seller, buyer, id } = await startConversation();
  const quote = await sent(seller, id);
  expect(quote).toMatchObject({
    conversationId: id,
    messageNumber: 2,
    role: 'seller',
    state: 'sent',
    kind: 'quote',
    currency: 'NZD',
    gstIncluded: true,
    gstPercent: 15,
    business: 'Kingi & Daughters',
    customer: 'Tama R.',
    lines: [
      { ...work[0], amountMinor: 23_750 },
      { ...work[1], amountMinor: 999 },
    ],
    totalMinor: 24_749,
    // 3/23 of it is 3228.13.
    gstMinor: 3_228,
    validUntil: addDays(today, 14),
    seenAt: null,
    closedAt: null,
    decline: null,
  });
  expect(await list(buyer, id)).toEqual([{ ...quote, role: 'buyer' }]);
  // It is a message of the conversation too.
  const { body } = await as(buyer).get(`/messages/${id}`);
  expect(body.conversation.unread).toBe(1);
  expect(body.messages[0]).toMatchObject({ number: 2, text: 'Quote: $247.49 NZD, GST included. Valid until Mar 15, 2027.' });
});

test('an Australian estimate of a business that is not registered has no GST', async () => {
  const { seller, buyer, id } = await startConversation({ district: 2101 });
  const form = { kind: 'estimate', gstIncluded: false, lines: [{ description: 'Half a day', quantityMilli: 500, unitMinor: 80_001 }] };
  await sent(seller, id, form);
  expect(await list(buyer, id)).toMatchObject([{ kind: 'estimate', currency: 'AUD', totalMinor: 40_001, gstMinor: 0, gstPercent: 10 }]);
});

test.each([
  ['no lines', { lines: [] }, 'lines'],
  ['31 lines', { lines: Array.from({ length: 31 }, () => work[0]) }, 'lines'],
  ['a line without a description', { lines: [{ ...work[0], description: ' ' }] }, 'lines'],
  ['a quantity with four decimals', { lines: [{ ...work[0], quantityMilli: 0.5 }] }, 'lines'],
  ['a quantity of 0', { lines: [{ ...work[0], quantityMilli: 0 }] }, 'lines'],
  ['a price below 0', { lines: [{ ...work[0], unitMinor: -1 }] }, 'lines'],
  ['a total of 0', { lines: [{ ...work[0], unitMinor: 0 }] }, 'lines'],
  ['a total beyond $10,000,000', { lines: [{ ...work[0], quantityMilli: 11_000, unitMinor: 100_000_000 }] }, 'lines'],
  ['a day that has passed', { validUntil: addDays(today, -1) }, 'validUntil'],
  ['a day after a year', { validUntil: addDays(today, 366) }, 'validUntil'],
  ['a start that has passed', { startsOn: addDays(today, -1) }, 'startsOn'],
  ['a start after two years', { startsOn: addDays(today, 731) }, 'startsOn'],
  ['another kind', { kind: 'guess' }, 'kind'],
  ['no word about GST', { gstIncluded: undefined }, 'gstIncluded'],
  ['notes of 2,001 characters', { notes: 'x'.repeat(2_001) }, 'notes'],
])('rejects %s and sends nothing', async (_, more, field) => {
  const { seller, id } = await startConversation();
  const { status, body } = await send(seller, id, more);
  expect([status, body.code, body.errors[0].field.startsWith(field)]).toEqual([400, 'invalid_input', true]);
  expect([await list(seller, id), (await as(seller).get(`/messages/${id}`)).body.messages.length]).toEqual([[], 1]);
});

test('a quote may be valid to the end of today, and of the same day a year on', async () => {
  const { seller, id } = await startConversation();
  for (const validUntil of [today, addDays(today, 365)]) expect((await send(seller, id, { validUntil })).status).toBe(201);
});

test('work may start today or on the day two years on, and a quote may be for $10,000,000', async () => {
  const { seller, id } = await startConversation();
  for (const startsOn of [today, addDays(today, 730)]) expect((await sent(seller, id, { startsOn })).startsOn).toBe(startsOn);
  const most = [{ description: 'A hall', quantityMilli: 10_000, unitMinor: 100_000_000 }];
  expect((await sent(seller, id, { lines: most })).totalMinor).toBe(1_000_000_000);
});

test('rejects visitors, the customer, strangers and unknown ids', async () => {
  const { seller, buyer, id } = await startConversation();
  const stranger = await confirmedUser('Ana Tui');
  expect(await asVisitor.post('/quotes', createForm(id))).toMatchObject(refused(401, 'not_authenticated'));
  expect(await send(buyer, id)).toMatchObject(refused(403, 'not_the_business'));
  expect(await send(stranger, id)).toMatchObject(refused(404, 'conversation_not_found'));
  expect(await as(stranger).get(`/quotes?conversationId=${id}`)).toMatchObject(refused(404, 'conversation_not_found'));
  const quote = await sent(seller, id);
  for (const side of [seller, buyer])
    expect((await as(side).get(`/quotes/${quote._id}`)).body).toMatchObject({ _id: quote._id, state: 'sent' });
  expect(await as(stranger).get(`/quotes/${quote._id}`)).toMatchObject(refused(404, 'quote_not_found'));
  for (const change of [accept, decline, withdraw, markSeen]) {
    expect(await change(stranger, quote)).toMatchObject(refused(404, 'quote_not_found'));
    expect(await change(seller, { _id: randomUUID() })).toMatchObject(refused(404, 'quote_not_found'));
  }
  // Each side has its own steps.
  for (const change of [accept, decline, markSeen]) expect(await change(seller, quote)).toMatchObject(refused(404, 'quote_not_found'));
  expect(await withdraw(buyer, quote)).toMatchObject(refused(404, 'quote_not_found'));
  expect((await as(stranger).get(`/quotes/${quote._id}/pdf`)).body.code).toBe('quote_not_found');
  expect((await as(stranger).get(`/quotes/summaries?conversationIds=${id}`)).body).toEqual({ quotes: [] });
  expect(await statesOf(buyer, id)).toEqual(['sent']);
});

test('sends a quote once under one client id, however often it is tried at once', async () => {
  const { seller, buyer, id } = await startConversation();
  const form = createForm(id);
  const answers = await times(8, () => as(seller).post('/quotes', form));
  expect(new Set(answers.map(({ status, body }) => `${status} ${body._id}`)).size).toBe(1);
  expect([await statesOf(buyer, id), (await mailsTo(buyer)).length]).toEqual([['sent'], 1]);
  const clientId = randomUUID();
  await as(seller).post(`/messages/${id}`, { message: 'And I can come today.', clientId });
  expect(await send(seller, id, { clientId })).toMatchObject(refused(400, 'invalid_input'));
  expect(await statesOf(buyer, id)).toEqual(['sent']);
});

test('the first look of the customer makes it seen, once', async () => {
  const { seller, buyer, id } = await startConversation();
  const quote = await sent(seller, id);
  clock.set(new Date(start.getTime() + 60_000));
  const { body: seen } = await markSeen(buyer, quote);
  expect(seen).toMatchObject({ state: 'seen', seenAt: expect.stringMatching(/^2027-03-01T00:01:/) });
  const events = await eventsOf(seller);
  clock.set(new Date(start.getTime() + 120_000));
  expect((await markSeen(buyer, quote)).body).toEqual(seen);
  expect(await eventsOf(seller)).toBe(events);
  expect(await list(seller, id)).toMatchObject([{ state: 'seen', seenAt: seen.seenAt }]);
  expect((await accept(buyer, quote)).body).toMatchObject({ state: 'accepted', seenAt: seen.seenAt });
});

test('refuses more than sixty quotes of a business in an hour, and sends nothing', async () => {
  const { seller, id } = await startConversation();
  const limit = { max: 60, windowSeconds: 3_600 };
  for (let count = 0; count < 59; count += 1) await countAttempt(db, `quotes-sent-by:${seller._id}`, limit);
  expect((await send(seller, id)).status).toBe(201);
  expect(await send(seller, id)).toMatchObject({ status: 429, body: { code: 'too_many_requests' } });
  expect(await statesOf(seller, id)).toEqual(['sent']);
});

test('refuses a quote whose last day ends while it is being sent', async () => {
  const { seller, id } = await startConversation();
  const times = [new Date('2027-03-01T10:59:59Z'), new Date('2027-03-01T11:00:00Z')];
  const late = { ...context, clock: { now: () => times.shift() ?? clock.now() } };
  await expect(sendQuote(late, seller._id, createForm(id, { validUntil: today }))).rejects.toMatchObject({ code: 'invalid_input' });
  expect(times).toEqual([]);
  expect(await list(seller, id)).toEqual([]);
});

test('a new quote replaces the open one, which can then not be accepted', async () => {
  const { seller, buyer, id } = await startConversation();
  const first = await sent(seller, id);
  await markSeen(buyer, first);
  const second = await sent(seller, id, { notes: 'Cheaper.' });
  expect(await statesOf(buyer, id)).toEqual(['sent', 'replaced']);
  expect(await accept(buyer, first)).toMatchObject(refused(409, 'quote_not_open', /replaced by a newer one.*Nothing was changed/));
  expect(await decline(buyer, first)).toMatchObject(refused(409, 'quote_not_open'));
  expect(await withdraw(seller, first)).toMatchObject(refused(409, 'quote_not_open'));
  expect((await markSeen(buyer, first)).body.state).toBe('replaced');
  expect(await statesOf(buyer, id)).toEqual(['sent', 'replaced']);
  expect((await accept(buyer, second)).body.state).toBe('accepted');
  const blocks = (await mailsTo(buyer)).map((mail) => JSON.stringify(mail.blocks).includes('It replaces the one before.'));
  expect(blocks).toEqual([false, true, false]);
});

test('many new quotes at once leave one open', async () => {
  const { seller, buyer, id } = await startConversation();
  const answers = await times(6, () => send(seller, id));
  expect(answers.every(({ status }) => status === 201)).toBe(true);
  expect(await statesOf(buyer, id)).toEqual(['sent', ...Array.from({ length: 5 }, () => 'replaced')]);
});

test('two taps at once are one acceptance, which is final', async () => {
  const { seller, buyer, id } = await startConversation();
  const quote = await sent(seller, id);
  const answers = await times(5, () => accept(buyer, quote));
  expect(answers.map(({ status, body }) => [status, body.state])).toEqual(answers.map(() => [200, 'accepted']));
  expect((await mailsTo(seller)).length).toBe(1);
  expect(await decline(buyer, quote)).toMatchObject(refused(409, 'quote_not_open', /already accepted/));
  expect(await withdraw(seller, quote)).toMatchObject(refused(409, 'quote_not_open', /already accepted/));
  // More work is another quote, and the accepted one stays.
  await sent(seller, id);
  expect(await statesOf(buyer, id)).toEqual(['sent', 'accepted']);
});

test('accepting, declining, withdrawing and replacing at once have one outcome', async () => {
  const { seller, buyer, id } = await startConversation();
  const quote = await sent(seller, id);
  const answers = await Promise.all([accept(buyer, quote), decline(buyer, quote), withdraw(seller, quote)]);
  const [done, ...others] = answers.toSorted((a, b) => a.status - b.status);
  expect([done?.status, ...others.map(({ status }) => status)]).toEqual([200, 409, 409]);
  expect(await statesOf(buyer, id)).toEqual([done?.body.state]);
});

test('the customer declines with a reason that the business reads', async () => {
  const { seller, buyer, id } = await startConversation();
  const quote = await sent(seller, id);
  expect(await as(buyer).post(`/quotes/${quote._id}/decline`, {})).toMatchObject(refused(400, 'invalid_input'));
  expect(await decline(buyer, quote, { reason: 'left' })).toMatchObject(refused(400, 'invalid_input'));
  await decline(buyer, quote, { reason: 'timing', note: 'After Easter.' });
  expect(await list(seller, id)).toMatchObject([{ state: 'declined', decline: { reason: 'timing', note: 'After Easter.' } }]);
  expect(await accept(buyer, quote)).toMatchObject(refused(409, 'quote_not_open', /declined/));
  expect(await mailsTo(seller)).toMatchObject([
    {
      subject: 'Quote declined for "Friendly local plumber"',
      blocks: [
        { text: 'Tama R. has declined your quote for “Friendly local plumber”. The timing does not suit.' },
        { kind: 'facts' },
        { kind: 'quote', text: 'After Easter.' },
        { kind: 'button', url: `http://localhost:3000/messages/${id}` },
        { kind: 'note' },
      ],
    },
  ]);
});

test('the business withdraws an open quote, which can then not be accepted', async () => {
  const { seller, buyer, id } = await startConversation();
  const quote = await sent(seller, id);
  expect((await withdraw(seller, quote)).body.state).toBe('withdrawn');
  expect(await accept(buyer, quote)).toMatchObject(refused(409, 'quote_not_open', /withdrawn/));
  expect(await statesOf(buyer, id)).toEqual(['withdrawn']);
});

test('emails the customer when it is sent, and both when it is accepted, with total and link', async () => {
  const { seller, buyer, id } = await startConversation();
  const quote = await sent(seller, id);
  expect(await mailsTo(buyer)).toMatchObject([
    {
      subject: 'Quote for "Friendly local plumber": $247.49 NZD',
      greeting: 'Kia ora Tama',
      blocks: [
        { text: 'Kingi & Daughters has sent you a quote for “Friendly local plumber”.' },
        {
          kind: 'facts',
          rows: [
            { label: 'Number', value: quote.number },
            { label: 'Total', value: '$247.49 NZD, GST included', strong: true },
            { label: 'Valid until', value: 'Mar 15, 2027' },
          ],
        },
        { text: 'This is a fixed price for the work described.' },
        { kind: 'button', label: 'View quote', url: `http://localhost:3000/messages/${id}` },
        { kind: 'note', text: expect.stringContaining('nothing is paid here') },
      ],
      end: expect.any(Object),
    },
  ]);
  // The message that carries it is not emailed again.
  clock.set(new Date(start.getTime() + 3_600_000));
  await emailUnseenMessages(context);
  expect((await outbox.mails()).filter(({ to, subject }) => to === buyer.email && /message/i.test(subject))).toEqual([]);
  // Pressed twice, told once.
  for (const answer of [await accept(buyer, quote), await accept(buyer, quote)]) expect(answer.status).toBe(200);
  const opening = 'Tama R. has accepted your quote for “Friendly local plumber”.';
  expect(await mailsTo(seller)).toMatchObject([
    {
      subject: 'Quote accepted for "Friendly local plumber": $247.49 NZD',
      blocks: [{ text: `${opening} Agree on the day in your conversation.` }, {}, {}, {}],
    },
  ]);
  const [, copy, ...more] = await mailsTo(buyer);
  expect([copy?.subject, more]).toEqual(['You accepted the quote for "Friendly local plumber": $247.49 NZD', []]);
  // One that names its day leaves nothing to agree on.
  await accept(buyer, await sent(seller, id, { startsOn: addDays(today, 3) }));
  const [text, facts] = (await mailsTo(seller)).at(-1)?.blocks ?? [];
  expect([text, facts]).toMatchObject([{ text: opening }, { rows: [{}, {}, {}, { label: 'Work starts', value: 'Mar 4, 2027' }] }]);
});

test('publishes a live event to both sides when it is sent, seen and accepted', async () => {
  const { seller, buyer, id } = await startConversation();
  const quote = await sent(seller, id);
  expect([await eventsOf(seller), await eventsOf(buyer)]).toEqual([1, 1]);
  await markSeen(buyer, quote);
  await accept(buyer, quote);
  expect([await eventsOf(seller), await eventsOf(buyer)]).toEqual([3, 3]);
});

test('emails no one who unsubscribed, is suspended or has an unconfirmed address', async () => {
  const { seller, buyer, id } = await startConversation();
  await as(buyer).put('/mails', { kind: 'messages', on: false });
  await sent(seller, id);
  await db.updateTable('users').set({ email_confirmed_at: null }).where('id', '=', buyer._id).execute();
  await as(buyer).put('/mails', { kind: 'messages', on: true });
  const quote = await sent(seller, id);
  await db.updateTable('users').set({ suspended_at: start }).where('id', '=', seller._id).execute();
  expect((await accept(buyer, quote)).status).toBe(200);
  expect([await mailsTo(buyer), await mailsTo(seller)]).toEqual([[], []]);
});

test('a block stops sending, accepting and declining, but not withdrawing; a paused listing stops nothing', async () => {
  const { seller, buyer, listingId, id } = await startConversation();
  const quote = await sent(seller, id);
  await as(buyer).post(`/messages/${id}/block`);
  expect(await send(seller, id)).toMatchObject(refused(403, 'blocked'));
  expect(await accept(buyer, quote)).toMatchObject(refused(409, 'blocked_by_you'));
  await as(buyer).delete(`/messages/${id}/block`);
  await as(seller).post(`/messages/${id}/block`);
  expect(await send(seller, id)).toMatchObject(refused(409, 'blocked_by_you'));
  expect(await accept(buyer, quote)).toMatchObject(refused(403, 'blocked'));
  expect(await decline(buyer, quote)).toMatchObject(refused(403, 'blocked'));
  expect(await statesOf(buyer, id)).toEqual(['sent']);
  expect((await withdraw(seller, quote)).status).toBe(200);
  await as(seller).delete(`/messages/${id}/block`);
  expect((await as(seller).put(`/listing/${listingId}/deactivate`)).status).toBe(200);
  expect((await accept(buyer, await sent(seller, id))).body.state).toBe('accepted');
});

test('lists one quote for each conversation: the open one, else the accepted one, else the newest', async () => {
  const [open, agreed, over, none] = [
    await startConversation(),
    await startConversation(),
    await startConversation(),
    await startConversation(),
  ];
  const all = [open, agreed, over, none];
  const summaries = async ({ seller, id }: typeof open) => (await as(seller).get(`/quotes/summaries?conversationIds=${id}`)).body.quotes;
  for (const { seller, buyer, id } of all.slice(0, 2)) await accept(buyer, await sent(seller, id));
  await sent(open.seller, open.id);
  await decline(agreed.buyer, await sent(agreed.seller, agreed.id));
  await withdraw(over.seller, await sent(over.seller, over.id));
  const found = await Promise.all(all.map(summaries));
  expect(found.map((one) => one.map(({ state }: Quote) => state))).toEqual([['sent'], ['accepted'], ['withdrawn'], []]);
  const asBuyer = await as(open.buyer).get(`/quotes/summaries?conversationIds=${open.id}`);
  expect([found[0], asBuyer.body.quotes].map(([one]) => one.role)).toEqual(['seller', 'buyer']);
  expect(found[0]).toMatchObject([{ conversationId: open.id, totalMinor: 24_749, currency: 'NZD', kind: 'quote', gstIncluded: true }]);
  expect((await as(open.seller).get('/quotes/summaries?conversationIds=x')).status).toBe(400);
});

const getPdf = async (user: User, { _id }: Quote) => {
  const answer = await app.inject({ url: `/api/quotes/${_id}/pdf`, headers: { authorization: `Bearer ${user.token}` } });
  return { ...answer, text: readPdfText(answer.rawPayload).split('\n') };
};

test('the PDF shows the same figures as the page, to both sides', async () => {
  const { seller, buyer, id } = await startConversation();
  const quote = await sent(seller, id);
  await accept(buyer, quote);
  const [shown] = await list(buyer, id);
  if (!shown) throw new Error('no quote');
  for (const user of [buyer, seller]) {
    const { statusCode, headers, text } = await getPdf(user, quote);
    expect([statusCode, headers['content-type'], headers['content-disposition']]).toEqual([
      200,
      'application/pdf',
      `attachment; filename="kingi-daughters-${quote.number}.pdf"`,
    ]);
    const price = (minor: number) => money(minor, shown.currency);
    expect(text).toEqual(
      expect.arrayContaining([
        'Quote',
        shown.number,
        'Kingi & Daughters',
        'Tama R.',
        ...shown.lines.flatMap((line) => [
          line.description,
          `${formatQuantity(line.quantityMilli)} × ${price(line.unitMinor)}`,
          price(line.amountMinor),
        ]),
        price(shown.totalMinor - shown.gstMinor),
        'GST (15 %)',
        price(shown.gstMinor),
        'Total, GST included',
        price(shown.totalMinor),
        'Mar 15, 2027',
        'Accepted',
        'This is a fixed price for the work described.',
        'Friday morning suits.',
      ]),
    );
  }
});

test('the PDF of an estimate without GST says both, and that it is over', async () => {
  const { seller, buyer, id } = await startConversation();
  const quote = await sent(seller, id, { kind: 'estimate', gstIncluded: false });
  await withdraw(seller, quote);
  const { text } = await getPdf(buyer, quote);
  expect(text).toEqual(
    expect.arrayContaining([
      'Estimate',
      'The business has withdrawn it.',
      'Total, no GST',
      'The business is not registered for GST.',
      'This is an estimate: the final price may change with the work.',
    ]),
  );
  expect(text.join(' ')).not.toMatch(/GST \(|GST included/);
});

const leave = (user: User) => as(user).delete('/auth/account', { currentPassword: 'correct-horse' });

test('when a customer leaves, open quotes are declined without their name and accepted ones stay as they were', async () => {
  const { seller, buyer, id } = await startConversation();
  await accept(buyer, await sent(seller, id));
  await sent(seller, id);
  expect((await leave(buyer)).status).toBe(200);
  expect(await list(seller, id)).toMatchObject([
    { state: 'declined', decline: { reason: 'left', note: '' }, customer: 'Former member' },
    { state: 'accepted', customer: 'Tama R.', totalMinor: 24_749 },
  ]);
  expect(await send(seller, id)).toMatchObject(refused(409, 'member_left'));
});

test('when a business leaves, open quotes are withdrawn without its name and accepted ones stay as they were', async () => {
  const { seller, buyer, id } = await startConversation();
  const agreed = await sent(seller, id);
  await accept(buyer, agreed);
  const open = await sent(seller, id);
  expect((await leave(seller)).status).toBe(200);
  expect(await list(buyer, id)).toMatchObject([
    { state: 'withdrawn', business: 'Former member' },
    { state: 'accepted', business: 'Kingi & Daughters' },
  ]);
  expect((await accept(buyer, open)).status).toBe(409);
  expect((await getPdf(buyer, agreed)).text).toContain('office@kingi.example');
  const left = await getPdf(buyer, open);
  expect(left.text).toContain('Former member');
  expect(left.text).not.toContain('office@kingi.example');
});

test('an accepted quote reaches the device of the business', async () => {
  const { seller, buyer, id } = await startConversation();
  const quote = await sent(seller, id);
  const device = pushes.subscribe();
  expect((await as(seller).post('/push/subscriptions', { ...device, expirationTime: null })).status).toBe(200);
  await accept(buyer, quote);
  await accept(buyer, quote);
  await outbox.runJobs();
  const received = pushes.received
    .filter(({ endpoint }) => endpoint === device.endpoint)
    .map(({ payload }) => JSON.parse(payload) as object);
  expect(received).toEqual([{ title: 'Your quote was accepted', body: 'Handwise', path: `/messages/${id}`, tag: `quote-${quote._id}` }]);
});

test('the PDF is the business’s own: its name, how to reach and look it up, and its logo, as they were when it was sent', async () => {
  const { seller, buyer, id } = await startConversation();
  const { listing_id: listingId } = await db
    .selectFrom('conversations')
    .select('listing_id')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const logo = await sharp({ create: { width: 64, height: 64, channels: 3, background: '#123456' } })
    .webp()
    .toBuffer();
  await parts.context.store.put('logos/test-logo.webp', logo, 'image/webp');
  const set = (columns: object) => db.updateTable('listings').set(columns).where('id', '=', listingId).execute();
  await set({
    business_phone: '+6473781234',
    business_number: '9429000000000',
    gst_number: '49091850',
    licence_register: 'pgdb',
    licence_number: '12345',
    licence_name: 'Mere Kingi',
    licence_exemption: null,
    licence_below_limit: false,
    logo: '/files/logos/test-logo.webp',
  });
  const quote = await sent(seller, id);
  await set({ business_phone: '', business_email: 'new@kingi.example', licence_register: null, licence_number: null, licence_name: null });
  const { text, rawPayload } = await getPdf(buyer, quote);
  const lines = [
    'Kingi & Daughters',
    '+64 7 378 1234',
    'office@kingi.example',
    'NZBN 9429000000000',
    'GST number 49-091-850',
    'Licence 12345, Mere Kingi, Plumbers, Gasfitters and Drainlayers Board',
  ];
  // A long line may be broken.
  const whole = text.join(' ').replaceAll(/\s+/g, ' ');
  for (const line of lines) expect(whole).toContain(line);
  expect(whole).toContain(`Sent with ${site.name}`);
  expect(whole).not.toContain('Friendly local plumber');
  expect(text).not.toContain(site.name);
  expect(rawPayload.toString('latin1')).toContain('/Subtype /Image');

  await parts.context.store.delete(['logos/test-logo.webp']);
  const gone = await getPdf(buyer, await sent(seller, id, { lines: work.slice(0, 1) }));
  expect(gone.statusCode).toBe(200);
  expect(gone.rawPayload.toString('latin1')).not.toContain('/Subtype /Image');
});

test('a quote from before has its PDF with the business’s name alone', async () => {
  const { seller, buyer, id } = await startConversation();
  const quote = await sent(seller, id);
  await db.updateTable('quotes').set({ business: null }).where('id', '=', quote._id).execute();
  const { statusCode, text } = await getPdf(buyer, quote);
  expect(statusCode).toBe(200);
  expect(text).toContain('Kingi & Daughters');
  expect(text).not.toContain('office@kingi.example');
});

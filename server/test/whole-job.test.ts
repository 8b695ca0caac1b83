import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { getDay } from '@handwise/contract/dates';
import { testApp } from '@handwise/sandbox/testing/app';
import { openReviewHooks } from '../src/composition/hooks.ts';
import { emailUnseenMessages } from '../src/domains/messages/messages.notify.ts';
import { expireQuotes, remindOfQuotes } from '../src/domains/quotes/quotes.service.ts';
import { startDueLicenceChecks } from '../src/domains/registers/registers.licence-checks.ts';
import { inviteReviews } from '../src/domains/reviews/reviews.invitations.ts';
import { remindOfUnanswered } from '../src/domains/unanswered/unanswered.service.ts';
import { remindOfVisits } from '../src/domains/visits/visits.service.ts';

const { db, given, callers, outbox, parts, registers } = await testApp();
const { as, asVisitor } = callers;
const { clock, context } = parts;

const sydney = 'Australia/Sydney';
// Ten on Tuesday morning in Sydney.
const start = new Date('2027-02-22T23:00:00Z');
const hourMs = 3_600_000;
let hoursPassed = 0;

/** Moves the clock on by steps, with the scheduled jobs at each. */
async function passUntil(hours: number, step: number) {
  while (hoursPassed < hours) {
    hoursPassed += step;
    clock.set(new Date(start.getTime() + hoursPassed * hourMs));
    // One follows the other, as each waits for what is locked.
    await emailUnseenMessages(context);
    await remindOfUnanswered(context);
    await remindOfVisits(context);
    await remindOfQuotes(context);
    await expireQuotes(context);
    await inviteReviews(context, openReviewHooks(context));
    await startDueLicenceChecks(context);
    await outbox.runJobs();
  }
}

type User = Awaited<ReturnType<typeof given.user>>;
const ok = ({ status, body }: { status: number; body: any }) => {
  if (status >= 300) throw new Error(JSON.stringify(body));
  return body;
};
const write = async (user: User, id: string, message: string) =>
  ok(await as(user).post(`/messages/${id}`, { message, clientId: randomUUID() }));
/** What somebody gets by email, with what is new since the last time. */
const seenMails = new Map<string, number>();
async function newMailsTo({ email }: User): Promise<string[]> {
  const subjects = (await outbox.mails()).filter(({ to }) => to === email).map(({ subject }) => subject);
  const before = seenMails.get(email) ?? 0;
  seenMails.set(email, subjects.length);
  return subjects.slice(before);
}

async function publish(businessTitle: string, licenceNumber: string) {
  registers.licences.set(licenceNumber, { holder: 'KINGI, MERE' });
  const seller = await given.member();
  const form = given.listingForm('basic', {
    paymentId: await given.payment(seller, 'basic', 'AU'),
    location: 'Sydney, New South Wales, Australia',
    serviceCategory: 'Electrical & Gas',
    serviceSubCategory: 'Electricians',
    serviceTitle: 'Electrician in Sydney',
    businessTitle,
    licenceNumber,
    licenceName: 'Mere Kingi',
  });
  return { seller, listingId: ok(await as(seller).postForm('/listing/create', form))._id as string };
}

test('a whole job, from a message that nobody answers to the review, with each email once', async () => {
  clock.set(start);
  const silent = await publish('Silent Electric', '300001C');
  const quick = await publish('Kingi Electrical', '300002C');
  await outbox.runJobs();
  // Whoever is offered has answered before.
  const created_at = new Date(start.getTime() - 30 * 24 * hourMs);
  await db
    .insertInto('conversations')
    .values({
      listing_id: quick.listingId,
      buyer_id: (await given.user())._id,
      seller_id: quick.seller._id,
      created_at,
      answered_at: new Date(created_at.getTime() + hourMs),
    })
    .execute();
  const household = await given.member({ fullName: 'Tama Rua' });
  await outbox.runJobs();
  for (const user of [household, silent.seller, quick.seller]) await newMailsTo(user);
  const { conversationId: unanswered } = ok(
    await as(household).post('/email/send', { sellerId: silent.seller._id, listingId: silent.listingId, message: 'My lights flicker.' }),
  );

  await passUntil(3, 1);
  expect(await newMailsTo(silent.seller)).toEqual(['Message received for "Electrician in Sydney"']);
  await passUntil(23, 4);
  expect([await newMailsTo(silent.seller), await newMailsTo(household)]).toEqual([
    ['Tama R. is waiting for your answer about "Electrician in Sydney"'],
    [],
  ]);
  await passUntil(25, 1);
  expect([await newMailsTo(silent.seller), await newMailsTo(household)]).toEqual([
    ['Tama R. is still waiting for your answer about "Electrician in Sydney"'],
    ['No answer yet from Silent Electric'],
  ]);

  const { others } = ok(await as(household).get(`/messages/${unanswered}/others`));
  expect(others).toMatchObject([{ listingId: quick.listingId }]);
  const { conversationId: id } = ok(await as(household).post(`/messages/${unanswered}/others`, { listingId: quick.listingId }));
  await write(quick.seller, id, 'We can come this week.');
  await write(household, id, 'Friday suits me.');
  const visit = ok(
    await as(quick.seller).post('/visits', {
      conversationId: id,
      clientId: randomUUID(),
      times: [{ start: '2027-02-26T09:00', minutes: 60 }],
    }),
  );
  ok(await as(household).post(`/visits/${visit._id}/take`, { start: visit.times[0].start }));
  await write(silent.seller, unanswered, 'Sorry, we were away.');
  await passUntil(27, 1);
  const when = 'Fri, Feb 26, 2027, 9:00 am to 10:00 am';
  expect([await newMailsTo(household), await newMailsTo(quick.seller), await newMailsTo(silent.seller)]).toEqual([
    [
      'Kingi Electrical proposes a time for a visit',
      `Visit agreed: ${when}`,
      'A new message about "Electrician in Sydney"',
      'A new message about "Electrician in Sydney"',
    ],
    ['Message received for "Electrician in Sydney"', `Visit agreed: ${when}`, 'A new message about "Electrician in Sydney"'],
    ['Tama R. has asked others about "Electrician in Sydney" as well'],
  ]);

  // Until Thursday evening.
  await passUntil(55, 4);
  expect([await newMailsTo(household), await newMailsTo(quick.seller)]).toEqual([[], []]);
  await passUntil(57, 1);
  const tomorrow = [`Your visit tomorrow: ${when}`];
  expect([await newMailsTo(household), await newMailsTo(quick.seller)]).toEqual([tomorrow, tomorrow]);

  await passUntil(72, 5);
  const quote = ok(
    await as(quick.seller).post('/quotes', {
      conversationId: id,
      clientId: randomUUID(),
      kind: 'quote',
      gstIncluded: true,
      validUntil: '2027-03-10',
      startsOn: '2027-03-01',
      lines: [{ description: 'New switchboard', quantityMilli: 1_000, unitMinor: 120_000 }],
    }),
  );
  await passUntil(74, 1);
  ok(await as(household).post(`/quotes/${quote._id}/accept`));
  await passUntil(76, 1);
  const offer = 'for "Electrician in Sydney": $1,200.00 AUD';
  expect([await newMailsTo(household), await newMailsTo(quick.seller)]).toEqual([
    [`Quote ${offer}`, `You accepted the quote ${offer}`],
    [`Quote accepted ${offer}`],
  ]);

  // Ten days after the work starts.
  const asked: string[] = [];
  for (let day = 4; day <= 30; day += 1) {
    await passUntil(day * 24, day === 4 ? 20 : 24);
    for (const subject of await newMailsTo(household)) asked.push(`${getDay(clock.now(), sydney)}: ${subject}`);
  }
  expect(asked).toEqual(['2027-03-11: How did it go with Kingi Electrical?']);
  expect(await newMailsTo(quick.seller)).toEqual([]);

  const licence = async () => (await asVisitor.get(`/listing/${quick.listingId}`)).body.licence;
  const lookedUp = () => registers.licences.requested.filter((number) => number === '300002C').length;
  registers.licences.set('300002C', { holder: 'KINGI, MERE', status: 'Expired', endsOn: '01/05/2027' });
  await passUntil(89 * 24, 59 * 24);
  expect([lookedUp(), await licence()]).toMatchObject([1, { number: '300002C' }]);
  await passUntil(91 * 24, 2 * 24);
  expect([lookedUp(), await licence(), await newMailsTo(quick.seller)]).toEqual([
    2,
    null,
    ['Your listing no longer shows your licence: Electrician in Sydney'],
  ]);
});

import { expect, test } from 'vitest';
import { testApp } from '@handwise/sandbox/testing/app';
import { testSite } from '@handwise/sandbox/testing/site';
import { countTrustMetrics } from './site.trust.ts';

const { app, db, given, callers, parts } = await testApp({}, await testSite());
const { asVisitor } = callers;
const { clock, context } = parts;

// In New Zealand it is already March. February began on Jan 31 at 11:00 UTC.
const now = new Date('2027-03-01T00:00:00Z');
const inMonth = new Date('2027-01-31T11:00:00Z');
const before = new Date('2027-01-31T10:59:59Z');
const after = new Date('2027-02-28T11:00:00Z');
const day = (text: string) => new Date(`2027-02-${text}T00:00:00Z`);

const admin = await given.administrator();
const member = await given.member();
const { id: listingId, seller_id: sellerId } = await given.listing();

const decide = async (kind: 'hide_listing' | 'dismiss' | 'warn', at: Date) =>
  (
    await db
      .insertInto('decisions')
      .values({
        kind,
        about_kind: 'listing',
        about_id: listingId,
        about_title: 'x',
        concerned_id: sellerId,
        decided_by: admin._id,
        reason: 'x',
        created_at: at,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
  ).id;
const report = (at: Date, decisionId: string | null, reporter: string | null = member._id) =>
  db
    .insertInto('reports')
    .values({
      reporter_id: reporter,
      kind: 'listing',
      subject_id: listingId,
      concerned_id: sellerId,
      reason: 'spam',
      comment: '',
      title: 'x',
      words: '',
      listing_id: listingId,
      created_at: at,
      decision_id: decisionId,
    })
    .execute();

test('counts the last full month of New Zealand, to the second, and nothing of ours', async () => {
  // From a Monday, ten working days later is a Monday, too; the eleventh is a Tuesday.
  await report(day('01'), await decide('hide_listing', day('15')));
  await report(day('01'), await decide('dismiss', day('16')));
  await report(inMonth, null);
  await report(before, await decide('warn', before));
  await report(after, await decide('warn', after));
  await report(day('10'), null, null);
  const { month, reports, decisions } = await countTrustMetrics({ ...context, clock: { now: () => now } });
  expect(month).toBe('2027-02');
  expect(reports).toEqual({ received: 3, decided: 2, inTime: 1, overdue: 1 });
  expect(decisions).toEqual({ hiddenListings: 1, removedReviews: 0, warnings: 0, suspensions: 0, dismissed: 1 });
});

test('counts reviews, invitations, reminders, messages passed on, objections and checks of the month', async () => {
  const people = await Promise.all([given.user(), given.user(), given.user()]);
  const talk = async (buyer: string) => {
    const { id } = await db
      .insertInto('conversations')
      .values({ listing_id: listingId, buyer_id: buyer, seller_id: sellerId, created_at: inMonth })
      .returning('id')
      .executeTakeFirstOrThrow();
    await db
      .insertInto('answer_reminders')
      .values({ conversation_id: id, first_due_at: inMonth, second_due_at: after, first_sent_at: inMonth, second_sent_at: after })
      .execute();
    return id;
  };
  const [one, two, three] = [await talk(people[0]._id), await talk(people[1]._id), await talk(people[2]._id)];
  await db
    .insertInto('passed_on_messages')
    .values([
      { conversation_id: one, place: 1, to_conversation_id: two, created_at: inMonth },
      { conversation_id: one, place: 2, to_conversation_id: three, created_at: before },
    ])
    .execute();
  await db
    .insertInto('review_invitations')
    .values([
      { conversation_id: one, invited_at: inMonth, because: 'quote' },
      { conversation_id: two, invited_at: after, because: 'messages' },
    ])
    .execute();
  const review = { listing_id: listingId, rating: 4, comment: 'Fine.' };
  await db
    .insertInto('reviews')
    .values([
      { ...review, author_id: people[0]._id, created_at: inMonth, removed_at: inMonth, removed_because: 'offensive' },
      { ...review, author_id: people[1]._id, created_at: inMonth, removed_at: inMonth, removed_because: 'withdrawn' },
      { ...review, author_id: people[2]._id, created_at: before },
    ])
    .execute();
  const check = { listing_id: listingId, check_at: after, checked_at: inMonth, register_name: 'Kingi' };
  await db
    .insertInto('register_checks')
    .values([
      { ...check, register: 'nzbn', number: '9429000000000', state: 'verified' },
      { ...check, register: 'abn', number: '51824753556', state: 'gone' },
    ])
    .execute();
  const decision = await decide('warn', day('20'));
  await db
    .insertInto('appeals')
    .values({
      decision_id: decision,
      words: 'No.',
      created_at: day('21'),
      upheld: true,
      answer: 'Yes.',
      answered_by: admin._id,
      answered_at: day('22'),
    })
    .execute();
  const metrics = await countTrustMetrics({ ...context, clock: { now: () => now } });
  expect(metrics).toMatchObject({
    checks: { verified: 1, asked: 2, refused: 1 },
    reviews: { written: 2, removed: 1, invited: 1 },
    unanswered: { reminders: 3, passedOn: 1 },
    objections: { received: 1, upheld: 1 },
  });
});

test('anyone can read the call and both pages, with the month’s metrics and what we promise', async () => {
  clock.set(now);
  expect((await asVisitor.get('/trust')).body).toMatchObject({ month: '2027-02', reports: { received: 3 } });
  const read = async (path: string) => (await app.inject({ url: path })).body.replaceAll(/<!-- -->|<[^>]+>/g, '').replaceAll(/\s+/g, ' ');
  const standards = await read('/standards');
  expect(standards).toContain('February 2027: 3 reports from members, 2 decided since, 1 of them within ten working days.');
  expect(standards).toContain('1 customer asked, 2 reviews written, 1 removed by us.');
  const complaints = await read('/complaints');
  expect(complaints).toContain('We confirm within two working days');
  expect(complaints).toContain('We decide within ten working days');
  for (const place of ['Disputes Tribunal', 'ACCC']) expect(complaints).toContain(place);
});

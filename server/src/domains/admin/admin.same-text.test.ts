import { expect, test } from 'vitest';
import { testApp } from '@handwise/sandbox/testing/app';

const { given, callers, outbox, parts } = await testApp();
const { as } = callers;

type User = Awaited<ReturnType<typeof given.user>>;

const { member } = given;
const [admin, seller] = [await given.administrator(), await member()];

/** Starts this many conversations of a buyer, each about a new listing. */
async function writeToMany(buyer: User, listings: number, message = 'Hello, are you free?') {
  for (let at = 0; at < listings; at += 1) {
    const { id: listingId } = await given.listing({ sellerId: seller._id });
    const form = { sellerId: seller._id, listingId, buyerEmail: buyer.email, subject: 'Message received for "Plumber"', message };
    expect((await as(buyer).post('/email/send', form)).status).toBe(200);
  }
}
const casesOf = async (user: User, status = 'open') =>
  (await as(admin).get(`/admin/reports?status=${status}&limit=100`)).body.reports.filter(
    (one: { concerned: { _id: string } }) => one.concerned._id === user._id,
  );
const flagged = (listings: number) => [
  {
    reason: 'spam',
    text: `The same words have gone to the sellers of ${listings} listings within a day.`,
    by: null,
    createdAt: expect.any(String),
  },
];

test('reports the same text to a fourth seller within a day as one case that counts up', async () => {
  const [buyer, other] = [await member(), await member()];
  await writeToMany(buyer, 3);
  await writeToMany(other, 3);
  await writeToMany(buyer, 2, 'Something else.');
  expect(await casesOf(buyer)).toEqual([]);
  await writeToMany(buyer, 1, 'hello are you FREE');
  const [waiting, ...more] = await casesOf(buyer);
  expect(more).toEqual([]);
  expect(waiting).toMatchObject({ about: { kind: 'message' }, words: 'hello are you FREE', reports: flagged(4), mayDecide: true });
  await writeToMany(buyer, 2);
  expect(await casesOf(buyer)).toMatchObject([{ _id: waiting._id, reports: flagged(6) }]);
  expect(await casesOf(other)).toEqual([]);
});

test('emails the decision to the sender only, and does not report the same text again that day', async () => {
  const buyer = await member();
  await writeToMany(buyer, 4);
  const [{ _id: id }] = await casesOf(buyer);
  const before = (await outbox.mails()).length;
  expect((await as(admin).post(`/admin/reports/${id}/decide`, { decision: 'warn', reason: 'Ask one at a time.' })).status).toBe(200);
  expect((await outbox.mails()).slice(before).map((mail) => mail.to)).toEqual([buyer.email]);
  await writeToMany(buyer, 1);
  expect(await casesOf(buyer)).toEqual([]);
  expect(await casesOf(buyer, 'decided')).toMatchObject([{ reports: flagged(4) }]);
});

test('opens another case for another text, and for the same text a day later', async () => {
  const buyer = await member();
  await writeToMany(buyer, 4);
  await writeToMany(buyer, 4, 'Cheap gutters, call now.');
  expect((await casesOf(buyer)).map(({ words }: { words: string }) => words)).toEqual(['Hello, are you free?', 'Cheap gutters, call now.']);
  parts.clock.set(new Date(Date.now() + 25 * 3_600_000));
  try {
    await writeToMany(buyer, 3);
    expect(await casesOf(buyer)).toHaveLength(2);
    await writeToMany(buyer, 1);
    expect(await casesOf(buyer)).toHaveLength(3);
  } finally {
    parts.clock.set(new Date());
  }
});

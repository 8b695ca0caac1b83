import { expect, test } from 'vitest';
import { testApp } from '@handwise/sandbox/testing/app';
import { expireListings, warnOfExpiry } from './selling.jobs.ts';

const { callers, given, db, outbox, parts } = await testApp();
const { asVisitor, as } = callers;
const { context, clock } = parts;

const hour = 3_600_000;

const pass = (hours: number) => clock.set(new Date(clock.now().getTime() + hours * hour));

async function confirmationTo(to: string) {
  const mails = (await outbox.mails()).filter((mail) => mail.to === to && mail.subject.startsWith('Confirm the business address'));
  const button = mails.at(-1)?.blocks.find((block) => block.kind === 'button');
  return { mails, token: new URL(button?.url ?? 'http://nowhere').searchParams.get('token') ?? '' };
}
const verify = (token: string) => asVisitor.post('/auth/verify-email', { token });
const subjectsTo = async (to: string) => (await outbox.mails()).filter((mail) => mail.to === to).map((mail) => mail.subject);

async function publish(user: { token: string }, businessEmailAddress: string) {
  const paymentIntentId = await given.payment(user, 'premium');
  await callers.confirm(user, paymentIntentId);
  const { status, body } = await as(user).postForm(
    '/listing/create',
    given.listingForm('premium', { paymentIntentId, businessEmailAddress }),
  );
  expect(status).toBe(201);
  return body._id as string;
}
/** Publishes under the subscription that there is. */
async function publishMore(user: { token: string }, businessEmailAddress: string) {
  const form = given.listingForm('premium', { businessEmailAddress, isUsingExistingSubscription: 'true' });
  const { status, body } = await as(user).postForm('/listing/create', form);
  expect(status).toBe(201);
  return body._id as string;
}
const edit = (user: { token: string }, id: string, businessEmailAddress: string) => {
  const form = given.listingForm('premium', { businessEmailAddress });
  return as(user).putForm(`/listing/${id}`, form);
};

test('asks a new business address once to confirm, without user text, but not the account’s own address', async () => {
  const user = await given.user({ fullName: 'Click Here Now', email: 'owner1@example.org' });
  const id = await publish(user, 'shop1@example.org');
  const { mails, token } = await confirmationTo('shop1@example.org');
  expect(mails).toHaveLength(1);
  expect(mails[0]?.limit).toEqual({ kind: 'account.business-address', perHour: 3 });
  for (const theirs of ['Click Here', 'Plumb', user.username]) expect(JSON.stringify(mails)).not.toContain(theirs);
  expect((await edit(user, id, 'Shop1@example.org')).status).toBe(200);
  expect((await confirmationTo('shop1@example.org')).mails).toHaveLength(1);

  const answers = await Promise.all(Array.from({ length: 4 }, () => verify(token)));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  // Confirmed: it is never asked again.
  pass(25);
  await edit(user, id, 'shop1@example.org');
  expect((await confirmationTo('shop1@example.org')).mails).toHaveLength(1);

  await edit(user, id, 'OWNER1@example.org');
  expect((await confirmationTo('OWNER1@example.org')).mails).toHaveLength(0);
});

test('asks an unconfirmed address again after a day and voids the earlier link', async () => {
  const user = await given.user();
  const id = await publish(user, 'shop2@example.org');
  const first = (await confirmationTo('shop2@example.org')).token;
  pass(23);
  await edit(user, id, 'shop2@example.org');
  expect((await confirmationTo('shop2@example.org')).mails).toHaveLength(1);
  pass(2);
  await edit(user, id, 'shop2@example.org');
  const second = await confirmationTo('shop2@example.org');
  expect(second.mails).toHaveLength(2);
  expect((await verify(first)).body.code).toBe('link_not_valid');
  expect((await verify(second.token)).status).toBe(200);
});

test('limits an account to ten confirmation emails a day', async () => {
  const user = await given.user();
  const id = await publish(user, 'many-0@example.org');
  for (let at = 1; at < 11; at += 1) expect((await edit(user, id, `many-${at}@example.org`)).status).toBe(200);
  expect((await confirmationTo('many-9@example.org')).mails).toHaveLength(1);
  expect((await confirmationTo('many-10@example.org')).mails).toHaveLength(0);
});

test('emails the account’s address until the business address is confirmed', async () => {
  const user = await given.user({ email: 'owner4@example.org' });
  await publish(user, 'shop4@example.org');
  expect(await subjectsTo('owner4@example.org')).toContain('Your listing is live on Handwise');
  await verify((await confirmationTo('shop4@example.org')).token);
  // In whichever case the listing gives it.
  await publishMore(user, 'Shop4@Example.org');
  expect(await subjectsTo('shop4@example.org')).toContain('Your listing is live on Handwise');
  expect((await subjectsTo('owner4@example.org')).filter((subject) => subject.includes('is live'))).toHaveLength(1);
});

test('does not share a confirmed address between users', async () => {
  const [one, other] = [await given.user(), await given.user()];
  await publish(one, 'shared@example.org');
  await verify((await confirmationTo('shared@example.org')).token);
  await publish(other, 'shared@example.org');
  expect((await subjectsTo('shared@example.org')).filter((subject) => subject.includes('is live'))).toHaveLength(0);
  expect(await subjectsTo(other.email)).toContain('Your listing is live on Handwise');
});

test('emails each address once about its own listings before and at the end of a plan', async () => {
  const user = await given.user({ email: 'owner6@example.org' });
  await publish(user, 'first6@example.org');
  await publishMore(user, 'second6@example.org');
  await verify((await confirmationTo('first6@example.org')).token);
  const endsSoon = async (inHours: number) => {
    const ends = new Date(clock.now().getTime() + inHours * hour);
    await db.updateTable('subscriptions').set({ ends_at: ends }).where('user_id', '=', user._id).execute();
    await db.updateTable('listings').set({ subscription_ends_at: ends }).where('seller_id', '=', user._id).execute();
  };
  await endsSoon(30);
  await warnOfExpiry(context);
  await warnOfExpiry(context);
  const ending = (subjects: string[]) => subjects.filter((subject) => subject.startsWith('Your listing on Handwise ends'));
  expect(ending(await subjectsTo('first6@example.org'))).toHaveLength(1);
  expect(ending(await subjectsTo('owner6@example.org'))).toHaveLength(1);
  expect(ending(await subjectsTo('second6@example.org'))).toHaveLength(0);

  pass(31);
  await expireListings(context);
  const ended = (subjects: string[]) => subjects.filter((subject) => subject === 'Your listing on Handwise has ended');
  expect(ended(await subjectsTo('first6@example.org'))).toHaveLength(1);
  expect(ended(await subjectsTo('owner6@example.org'))).toHaveLength(1);
});

test('sends messages to the confirmed business address', async () => {
  const user = await given.user({ email: 'owner7@example.org' });
  const listingId = await publish(user, 'shop7@example.org');
  const buyer = await given.user();
  const write = () => as(buyer).post('/email/send', { sellerId: user._id, listingId, message: 'When could you come?' });
  // Neither address is confirmed: it waits in the inbox.
  expect((await write()).status).toBe(200);
  expect((await subjectsTo('shop7@example.org')).filter((subject) => !subject.startsWith('Confirm'))).toEqual([]);
  expect((await outbox.mails()).filter((mail) => JSON.stringify(mail.blocks).includes('When could you come?'))).toEqual([]);

  await verify((await confirmationTo('shop7@example.org')).token);
  const other = await given.user();
  await as(other).post('/email/send', { sellerId: user._id, listingId, message: 'And on Friday?' });
  const sent = (await outbox.mails()).filter((mail) => JSON.stringify(mail.blocks).includes('And on Friday?'));
  expect(sent.map((mail) => mail.to)).toEqual(['shop7@example.org']);
});

import { expect, test } from 'vitest';
import { testApp } from '@handwise/sandbox/testing/app';
import { photo } from '@handwise/sandbox/testing/photos';
import { testSite } from '@handwise/sandbox/testing/site';
import { updateCategoryMeans } from '../src/domains/search/search.jobs.ts';

const { app, db, given, callers, parts } = await testApp({}, await testSite());
const { as } = callers;

const textOf = (html: string) =>
  html
    .replace(/<script[\s\S]*?<\/script>/g, '')
    .replace(/<!-- -->/g, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ');
/** A visitor's page, cached or not. */
async function pageOf(url: string) {
  await parts.context.events.catchUp();
  const answer = await app.inject({ url });
  expect([url, answer.statusCode]).toEqual([url, 200]);
  return { body: answer.body, text: textOf(answer.body), isCached: answer.headers['x-cache'] === 'hit' };
}
async function confirmed() {
  const user = await given.user();
  await db.updateTable('users').set({ email_confirmed_at: new Date() }).where('id', '=', user._id).execute();
  return user;
}

test('the cached page shows a review’s evidence as soon as the author writes and is answered', async () => {
  const [seller, author] = [await confirmed(), await confirmed()];
  const { id: listingId } = await given.listing({ sellerId: seller._id });
  await as(author).post('/review/create', { listingId, rating: 5, comment: 'Tidy work.' });
  const url = `/listing/${listingId}`;
  expect((await pageOf(url)).text).toContain('No contact through Handwise');
  expect((await pageOf(url)).isCached).toBe(true);
  const form = { sellerId: seller._id, buyerEmail: 'me@example.org', subject: 'Message received', message: 'Can you come?', listingId };
  const { body } = await as(author).post('/email/send', form);
  await db
    .updateTable('conversations')
    .set({ created_at: new Date('2026-03-12T02:00:00Z') })
    .where('id', '=', body.conversationId)
    .execute();
  expect((await pageOf(url)).text).toContain('Messaged here on Mar 12, 2026, no answer yet');
  expect((await pageOf(url)).isCached).toBe(true);
  await db
    .updateTable('conversations')
    .set({ answered_at: new Date('2026-03-12T04:00:00Z') })
    .where('id', '=', body.conversationId)
    .execute();
  expect((await pageOf(url)).text).toContain('Messaged here on Mar 12, 2026, answered in 2 hours');
});

test('shows a listing without reviews as new, without stars', async () => {
  const { id } = await given.listing({ title: 'Unreviewed gutters', category: 6 });
  const page = await pageOf(`/listing/${id}`);
  const [, average = ''] = /id="reviews-heading"[\s\S]*?<\/h2>([\s\S]*?)How reviews work/.exec(page.body) ?? [];
  expect(textOf(average).trim()).toBe('New on Handwise');
  expect(average).not.toMatch(/<svg|out of 5 stars/);
  const head = page.body.slice(page.body.indexOf('<h1'), page.body.indexOf('id="description-heading"'));
  expect(textOf(head)).toContain('New on Handwise');
  for (const url of ['/services/plumbing', '/search?category=plumbing&sort=newest'])
    expect((await pageOf(url)).text).toMatch(/Unreviewed gutters.*?New on Handwise/);

  await given.review(id, 4);
  parts.context.events.emit('listings', 'many');
  const reviewed = await pageOf(`/listing/${id}`);
  expect(reviewed.text).toContain('Average rating: 4.0');
  expect(reviewed.body).toContain('4.0 out of 5 stars');
  expect(reviewed.text).not.toContain('New on Handwise');
});

test('the review policy shows the current ledger and is linked from every listing and footer', async () => {
  await db.deleteFrom('reviews').execute();
  const { id: listingId } = await given.listing();
  const { id } = await given.review(listingId, 4);
  await given.review(listingId, 5);
  await db
    .updateTable('reviews')
    .set({ created_at: new Date('2026-10-15T00:00:00Z') })
    .execute();
  parts.context.events.emit('listings', 'many');
  expect((await pageOf('/reviews-policy')).text).toContain('October 2026 2 2 0 All months 2 2 0');
  await db.updateTable('reviews').set({ removed_at: new Date(), removed_because: 'rewarded' }).where('id', '=', id).execute();
  expect((await pageOf('/reviews-policy')).text).toContain('October 2026 2 1 1 1 paid or rewarded All months 2 1 1 1 paid or rewarded');
  const listing = (await app.inject({ url: `/listing/${listingId}` })).body;
  expect(listing.match(/href="\/reviews-policy"/g)).toHaveLength(2);
});

test('a category list has a URL for the order "Best" and rejects unknown orders', async () => {
  const { id } = await given.listing({ title: 'Rated by many', plan: 'basic' });
  await given.listing({ title: 'Premium and not rated', plan: 'premium' });
  for (const rating of [5, 5]) await given.review(id, rating);
  const other = await given.listing({ title: 'Not liked' });
  await given.review(other.id, 1);
  await updateCategoryMeans(parts.context);
  const order = async (url: string) => {
    const { text } = await pageOf(url);
    return text.indexOf('Rated by many') < text.indexOf('Premium and not rated') ? 'best' : 'usual';
  };
  expect(await order('/services/plumbing')).toBe('usual');
  expect(await order('/services/plumbing?sort=best')).toBe('best');
  expect(await order('/services/plumbing/waikato?sort=best')).toBe('best');
  const { body } = await app.inject({ url: '/services/plumbing?sort=best' });
  expect(body).toContain('name="robots" content="noindex');
  expect(body).toContain('href="/reviews-policy#best"');
  expect((await app.inject({ url: '/services/plumbing?sort=newest' })).statusCode).toBe(404);
});

test('the order "Best" starts with at most three labelled paid placements', async () => {
  const { id } = await given.listing({ title: 'Praised by all', category: 12 });
  for (const rating of [5, 5]) await given.review(id, rating);
  const other = await given.listing({ title: 'Not liked either', category: 12 });
  await given.review(other.id, 1);
  for (const number of [1, 2, 3, 4, 5]) await given.listing({ title: `Paid place ${number}`, category: 12, plan: 'featured' });
  await updateCategoryMeans(parts.context);
  const { body } = await app.inject({ url: '/services/handyman?sort=best' });
  const cards = body.split('<article').slice(1, 7);
  expect(cards.map((card) => card.includes('Paid place'))).toEqual([true, true, true, false, true, true]);
  for (const card of cards.slice(0, 3)) expect(card).toMatch(/<button[^>]*popoverTarget="placement-note"[^>]*>Featured/i);
  expect(cards[3]).toContain('Praised by all');
  expect(cards[3]).not.toContain('Featured');
  expect(body).toContain('Paid placement.');
});

test('the listing’s photos include those of its reviews, marked as a customer’s, until the review is withdrawn', async () => {
  const author = await confirmed();
  const { id: listingId } = await given.listing();
  const url = `/listing/${listingId}`;
  expect((await pageOf(url)).text).not.toContain('From a customer');
  const form = { listingId, rating: '5', comment: 'Tidy work.' };
  const { body: review } = await as(author).postForm('/review/create', form, [
    { field: 'pictures', name: 'a.jpg', bytes: await photo(300) },
  ]);
  const { body, text } = await pageOf(url);
  expect(text).toContain('From a customer');
  expect(body).toContain('aria-label="Photo 1 of 1: Photo from a customer. Show full screen"');
  expect(body.match(/alt="Photo from a customer"/g)).toHaveLength(2);
  // The card and the preview of the page stay the business's.
  expect(body).not.toMatch(/property="og:image" content="[^"]*\/files\/pictures/);
  await as(author).delete(`/review/${review._id}`);
  const after = await pageOf(url);
  expect([after.text.includes('From a customer'), after.body.includes('Photo from a customer')]).toEqual([false, false]);
});

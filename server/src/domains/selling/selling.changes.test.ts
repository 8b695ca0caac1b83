import { expect, test } from 'vitest';
import { testApp } from '@handwise/sandbox/testing/app';

const { given, callers, parts } = await testApp();
const { as } = callers;
const { events } = parts.context;

// Database notifications are stopped, so whatever arrives was published before the answer.
await events.stop();
const published: unknown[] = [];
events.on('listings', (ids) => published.push(ids));
const publishedDuring = async (work: () => Promise<{ status: number; body: any }>) => {
  published.length = 0;
  const { status, body } = await work();
  expect([status, body.code]).toEqual([status === 201 ? 201 : 200, undefined]);
  return [...published];
};

test('publishes a seller’s change on their server before the answer', async () => {
  const { seller, listing } = await given.published('premium');
  expect(published).toEqual([[listing._id]]);
  const { submissionId: _, servicePlan: __, ...form } = given.listingForm();
  const url = `/listing/${listing._id}`;
  expect(await publishedDuring(() => as(seller).putForm(url, form))).toEqual([[listing._id]]);
  expect(await publishedDuring(() => as(seller).put(`${url}/deactivate`))).toEqual([[listing._id]]);
  expect(await publishedDuring(() => as(seller).put(`${url}/reactivate`, {}))).toEqual([[listing._id]]);
  // Cheaper, and so at no cost.
  expect(await publishedDuring(() => as(seller).put(`${url}/plan`, { planId: given.planId('basic') }))).toEqual([[listing._id]]);
});

test('publishes a change that is paid with a saved card', async () => {
  const { seller, listing } = await given.published();
  const paid = { planId: given.planId('featured'), paymentId: await given.card(seller) };
  expect(await publishedDuring(() => as(seller).put(`/listing/${listing._id}/plan`, paid))).toContainEqual('many');
});

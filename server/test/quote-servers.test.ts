import { randomUUID } from 'node:crypto';
import { afterAll, expect, test } from 'vitest';
import { testApp } from '@handwise/sandbox/testing/app';
import { photo } from '@handwise/sandbox/testing/photos';

const { app, besides, db, given } = await testApp();
// Load shedding is disabled because a busy machine is not a failure.
const second = await besides();
afterAll(() => second.close());

test('two servers that receive the same quote request with photos send it once to each business', async () => {
  const user = await given.member();
  const listings = await Promise.all([given.listing(), given.listing()]);
  const [clientId, bytes] = [randomUUID(), await photo(100)];
  const send = (server: typeof app, listingId: string) => {
    const form = new FormData();
    const fields = { job: 'A tap drips.', category: 'Plumbing', place: 'Taupō', when: 'asap', clientId, listingId };
    for (const [name, value] of Object.entries(fields)) form.append(name, value);
    form.append('pictures', new Blob([new Uint8Array(bytes)]), 'tap.jpg');
    return server.inject({ method: 'POST', url: '/api/quote-requests', headers: { authorization: `Bearer ${user.token}` }, payload: form });
  };
  const answers = await Promise.all([app, second].flatMap((server) => listings.map(({ id }) => send(server, id))));
  expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array.from({ length: 4 }, () => 200));
  expect(await db.selectFrom('quote_requests').select('client_id').execute()).toEqual([{ client_id: clientId }]);
  expect(await db.selectFrom('messages').select(['number', 'body']).execute()).toEqual([
    { number: 1, body: 'A tap drips.' },
    { number: 1, body: 'A tap drips.' },
  ]);
  expect(await db.selectFrom('files').select('state').execute()).toEqual([{ state: 'attached' }]);
});

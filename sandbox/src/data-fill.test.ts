import pg from 'pg';
import { expect, test } from 'vitest';
import { prepareDatabase } from '@handwise/server/startup/prepare-database';
import { fillListings, readArguments } from './data-fill.ts';
import { testDatabase } from './testing/database.ts';

test('rejects invalid arguments with a message', () => {
  expect(() => readArguments(['--listings', 'many'])).toThrow('whole number');
  expect(() => readArguments(['--listings', '10', '--reviews-per-listing', '-1'])).toThrow('reviews-per-listing');
  expect(() => readArguments(['--listings', '10', '--conversations', '2001'])).toThrow('at most 200 per listing');
  expect(readArguments(['--listings', '10'])).toEqual({ listings: 10, reviewsPerListing: 0, conversations: 0 });
  expect(readArguments(['--listings', '10', '--conversations', '2000'])).toMatchObject({ conversations: 2000 });
});

test('fills conversations, a third with a quote, that comply with the triggers and foreign keys', async () => {
  const { url } = await testDatabase();
  await prepareDatabase(url);
  await fillListings({ connectionString: url, listings: 60, conversations: 600 });
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<Record<string, number>>(`
    select count(distinct conversations.id)::int as conversations,
      count(distinct quotes.id)::int as quotes,
      count(*) filter (where total_minor <> (select sum(amount_minor) from quote_lines where quote_id = quotes.id))::int as wrong,
      count(distinct quotes.status)::int as statuses
    from conversations
    join listings on listings.id = listing_id and listings.seller_id = conversations.seller_id
    join users on users.id = buyer_id
    join participants on participants.conversation_id = conversations.id
    join messages on messages.conversation_id = conversations.id
    left join quotes on (quotes.conversation_id, quotes.number) = (messages.conversation_id, messages.number)`);
  await client.end();
  expect(rows).toEqual([{ conversations: 600, quotes: expect.any(Number), wrong: 0, statuses: 6 }]);
  expect(rows[0]?.['quotes']).toBeGreaterThan(150);
  expect(rows[0]?.['quotes']).toBeLessThan(250);
});

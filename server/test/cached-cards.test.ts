import { expect, test } from 'vitest';
import { testApp } from '@handwise/sandbox/testing/app';

const { app, db, given, parts } = await testApp();

test('a card cached by one search is up to date in every other one', async () => {
  const { id } = await given.listing({ district: 306, category: 6 });
  await parts.context.events.catchUp();
  const titles = async (query: string) =>
    (await app.inject(`/api/search?${query}`))
      .json<{ listings: { serviceTitle: string }[] }>()
      .listings.map(({ serviceTitle }) => serviceTitle);
  const rename = async (title: string) => {
    await db.updateTable('listings').set({ service_title: title }).where('id', '=', id).execute();
    await parts.context.events.catchUp();
  };
  await rename('Taps of yesterday');
  expect(await titles('category=plumbing')).toEqual(['Taps of yesterday']);
  await rename('Taps of today');
  expect(await titles('category=plumbing&limit=5')).toEqual(['Taps of today']);
  expect(await titles('category=plumbing')).toEqual(['Taps of today']);
});

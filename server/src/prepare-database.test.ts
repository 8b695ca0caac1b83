import { emptyDatabase } from '@handwise/sandbox/testing/database';
import { expect, test } from 'vitest';
import { prepareDatabase } from './prepare-database.ts';

test('servers and workers that start at once on an empty database all find it ready', async () => {
  const { url } = await emptyDatabase();
  const all = await Promise.allSettled(Array.from({ length: 4 }, () => prepareDatabase(url)));
  expect(all.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled', 'fulfilled']);
});

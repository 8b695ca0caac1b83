import { testApp } from '@handwise/sandbox/test-app';
import { expect, test } from 'vitest';

const { asVisitor, given, db } = await testApp();

test('deleting and changing reviews keeps the counts true', async () => {
  const { id } = await given.listing({ title: 'Counted' });
  const { id: first } = await given.review(id, 1);
  await given.review(id, 3);
  await db.updateTable('reviews').set({ rating: 5 }).where('id', '=', first).execute();
  expect((await asVisitor.get(`/listing/${id}`)).body.ratingCounts).toEqual([0, 0, 1, 0, 1]);
  await db.deleteFrom('reviews').where('id', '=', first).execute();
  expect((await asVisitor.get(`/listing/${id}`)).body.ratingCounts).toEqual([0, 0, 1, 0, 0]);
});

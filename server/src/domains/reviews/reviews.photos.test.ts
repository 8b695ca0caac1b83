import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { removedPhotoMonths } from '@handwise/contract/periods';
import { testApp } from '@handwise/sandbox/testing/app';
import { photo } from '@handwise/sandbox/testing/photos';
import { times } from '@handwise/sandbox/testing/times';
import { unzipped } from '@handwise/sandbox/testing/zip';
import { openReviewHooks } from '../../composition/hooks.ts';
import { deleteOrphanedFiles } from '../../kit/files/stored-files.ts';
import { deleteRemovedPhotos, removeReview, restoreReview } from './reviews.service.ts';

const { app, db, given, callers, parts } = await testApp();
const { as, asVisitor } = callers;

type User = Awaited<ReturnType<typeof given.user>>;

const small = await photo(120);
const pictures = (count: number) => Array.from({ length: count }, (_, at) => ({ field: 'pictures', name: `${at}.jpg`, bytes: small }));
const reviewer = async () => given.confirmed(await given.user({ fullName: 'Aroha Ngata' }));
const words = { rating: '5', comment: 'Tidy work, fair price.' };

const write = (user: User, listingId: string, files = pictures(2)) => as(user).postForm('/review/create', { ...words, listingId }, files);
const change = (user: User, id: string, form: object, files = pictures(0)) =>
  as(user).putForm(`/review/${id}`, { ...words, ...form }, files);

async function written(files = pictures(2)) {
  const { id: listingId } = await given.listing();
  const author = await reviewer();
  const { status, body } = await write(author, listingId, files);
  expect(status).toBe(201);
  return { listingId, author, id: body._id as string };
}
const shownOf = async (listingId: string) => {
  await parts.context.events.catchUp();
  return (await asVisitor.get(`/listing/${listingId}`)).body;
};
const sourcesOf = async (listingId: string): Promise<string[]> =>
  (await shownOf(listingId)).reviews[0].pictures.map(({ src }: { src: string }) => src);
const countFiles = async () => {
  const states = (await db.selectFrom('files').select('state').execute()).map(({ state }) => state);
  const count = (wanted: string) => states.filter((state) => state === wanted).length;
  return { unattached: count('unattached'), attached: count('attached'), deleting: count('deleting') };
};

test('a review shows its photos on the page, in the list and in the signed file', async () => {
  const { listingId } = await written();
  const shown = [
    { alt: 'Photo 1 from a customer', width: 120, src: expect.stringMatching(/^\/files\/pictures\//) },
    { alt: 'Photo 2 from a customer', width: 120, src: expect.stringMatching(/^\/files\/pictures\//) },
  ];
  expect((await shownOf(listingId)).reviews).toMatchObject([{ rating: 5, pictures: shown }]);
  expect((await asVisitor.get(`/listing/${listingId}/reviews`)).body.reviews).toMatchObject([{ pictures: shown }]);
  expect((await asVisitor.get(`/listing/${listingId}/reviews.json`)).body.reviews).toMatchObject([{ pictures: shown }]);
});

test('the business’s own photos do not include those of customers', async () => {
  const { listingId } = await written();
  const { serviceImages, pictures: own } = await shownOf(listingId);
  expect([serviceImages, own]).toEqual([[], []]);
});

test('takes up to five photos, and publishes nothing with more', async () => {
  const { id: listingId } = await given.listing();
  const author = await reviewer();
  const before = await countFiles();
  expect((await write(author, listingId, pictures(6))).body.code).toBe('too_many_files');
  expect([await countFiles(), (await shownOf(listingId)).reviews]).toEqual([before, []]);
  expect((await write(author, listingId, pictures(5))).status).toBe(201);
  expect(await sourcesOf(listingId)).toHaveLength(5);
});

test('rejects a file that is no picture, by name, and publishes nothing', async () => {
  const { id: listingId } = await given.listing();
  const before = await countFiles();
  const drawing = { field: 'pictures', name: 'evil.jpg', bytes: Buffer.from('<svg onload="alert(1)">') };
  const { status, body } = await write(await reviewer(), listingId, [...pictures(1), drawing]);
  expect([status, body.code, body.errors]).toEqual([
    400,
    'unsupported_picture',
    [{ field: 'pictures[1]', message: expect.stringMatching(/^“evil.jpg” is not a picture/) }],
  ]);
  expect([await countFiles(), (await shownOf(listingId)).reviews]).toEqual([before, []]);
});

test('of two reviews sent together one is published, and the photos of the other are discarded', async () => {
  const { id: listingId } = await given.listing();
  const author = await reviewer();
  const { attached } = await countFiles();
  const answers = await times(2, () => write(author, listingId));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201, 409]));
  expect((await write(author, listingId)).body.code).toBe('already_reviewed');
  expect(await countFiles()).toEqual({ unattached: 0, attached: attached + 2, deleting: 0 });
});

test('discards the photos of a review that may not be written', async () => {
  const { id: listingId } = await given.listing();
  const before = await countFiles();
  expect((await write(await given.user(), listingId)).body.code).toBe('address_not_confirmed');
  expect(await countFiles()).toEqual(before);
});

test('an edit keeps the named photos and adds new ones behind them', async () => {
  const { author, listingId, id } = await written(pictures(3));
  const [first = '', second = '', third = ''] = await sourcesOf(listingId);
  expect((await change(author, id, { keptPictures: JSON.stringify([third, first]) }, pictures(1))).status).toBe(200);
  const now = await sourcesOf(listingId);
  expect([now.length, now.slice(0, 2), now.includes(second)]).toEqual([3, [first, third], false]);
  expect((await asVisitor.get(`/listing/${listingId}/reviews`)).body.reviews[0].pictures).toHaveLength(3);
});

test('an edit without a list keeps all photos, and one with an empty list none', async () => {
  const { author, listingId, id } = await written();
  expect((await as(author).put(`/review/${id}`, { rating: 4, comment: 'Good.' })).status).toBe(200);
  expect(await sourcesOf(listingId)).toHaveLength(2);
  expect((await change(author, id, { keptPictures: '[]' })).status).toBe(200);
  expect(await sourcesOf(listingId)).toEqual([]);
});

test('an edit to more than five photos or with a photo of another review changes nothing', async () => {
  const { author, listingId, id } = await written(pictures(4));
  const other = await written();
  const before = [await sourcesOf(listingId), await countFiles()];
  const foreign = JSON.stringify(await sourcesOf(other.listingId));
  const tooMany = await change(author, id, {}, pictures(2));
  expect([tooMany.body.code, tooMany.body.errors]).toEqual(['too_many_files', [{ field: 'pictures', message: 'Choose at most 5 photos' }]]);
  for (const keptPictures of [foreign, '["x"]', '{}', 'x']) {
    const { status, body } = await change(author, id, { keptPictures });
    expect([status, body.errors[0].field]).toEqual([400, 'keptPictures']);
  }
  expect((await change(other.author, id, {}, pictures(1))).body.code).toBe('review_not_found');
  expect([await sourcesOf(listingId), await countFiles()]).toEqual(before);
});

test('photos that an edit takes out are deleted, and the others stay', async () => {
  const { author, listingId, id } = await written();
  const before = await countFiles();
  const sources = await sourcesOf(listingId);
  await change(author, id, { keptPictures: JSON.stringify(sources.slice(1)) });
  expect(await countFiles()).toEqual({ ...before, unattached: before.unattached + 1, attached: before.attached - 1 });
  expect(await sourcesOf(listingId)).toEqual(sources.slice(1));
});

const isServed = async (source: string) => {
  await deleteOrphanedFiles(db, parts.context.store, 0);
  return (await app.inject(source)).statusCode === 200;
};
const remove = (id: string, because: 'private_details' | 'not_genuine') => db.transaction().execute((tx) => removeReview(tx, id, because));

test('withdrawing a review deletes its photos, also for its author', async () => {
  const { author, listingId, id } = await written();
  const [source = ''] = await sourcesOf(listingId);
  expect(await isServed(source)).toBe(true);
  expect((await as(author).delete(`/review/${id}`)).status).toBe(200);
  expect(await isServed(source)).toBe(false);
  expect((await as(author).get(`/listing/${listingId}/reviews/mine`)).body.review.pictures).toEqual([]);
  // Shown again, it has its words.
  expect((await change(author, id, {})).status).toBe(200);
  expect((await shownOf(listingId)).reviews).toMatchObject([{ comment: words.comment, pictures: [] }]);
});

test('photos with private details go with the removal, others once no objection can bring them back', async () => {
  const [private_, doubtful, restored] = [await written(), await written(), await written()];
  const sources = await Promise.all([private_, doubtful, restored].map(async ({ listingId }) => (await sourcesOf(listingId))[0] ?? ''));
  const served = async () => {
    const all: boolean[] = [];
    for (const source of sources) all.push(await isServed(source));
    return all;
  };
  await remove(private_.id, 'private_details');
  await remove(doubtful.id, 'not_genuine');
  await remove(restored.id, 'not_genuine');
  expect(await served()).toEqual([false, true, true]);
  await deleteRemovedPhotos(parts.context, openReviewHooks(parts.context));
  expect(await served()).toEqual([false, true, true]);
  await db.transaction().execute((tx) => restoreReview(tx, restored.id));
  const removedAt = new Date();
  removedAt.setUTCMonth(removedAt.getUTCMonth() + removedPhotoMonths);
  parts.clock.set(new Date(removedAt.getTime() - 3_600_000));
  await deleteRemovedPhotos(parts.context, openReviewHooks(parts.context));
  expect(await served()).toEqual([false, true, true]);
  parts.clock.set(new Date(removedAt.getTime() + 3_600_000));
  await deleteRemovedPhotos(parts.context, openReviewHooks(parts.context));
  expect(await served()).toEqual([false, false, true]);
});

test('photos wait for the answer to an objection, however long it takes', async () => {
  parts.clock.set(new Date());
  const { author, listingId, id } = await written();
  const [source = ''] = await sourcesOf(listingId);
  const admin = await given.administrator();
  const form = { kind: 'review', id, decision: 'remove_review', removedBecause: 'not_genuine', reason: 'No job was found.' };
  const { body: decision } = await as(admin).post('/admin/decisions', form);
  expect((await as(author).post(`/decisions/${decision._id}/appeal`, { text: 'Here is my invoice.' })).status).toBeLessThan(300);
  const start = parts.clock.now();
  const later = new Date(start);
  later.setUTCMonth(later.getUTCMonth() + removedPhotoMonths + 1);
  parts.clock.set(later);
  await deleteRemovedPhotos(parts.context, openReviewHooks(parts.context));
  expect(await isServed(source)).toBe(true);
  await db
    .updateTable('appeals')
    .set({ upheld: false, answer: 'It names no job.', answered_by: admin._id, answered_at: later })
    .where('decision_id', '=', decision._id)
    .execute();
  await deleteRemovedPhotos(parts.context, openReviewHooks(parts.context));
  expect(await isServed(source)).toBe(false);
  parts.clock.set(start);
});

test('a photo that an older server takes out of a review is deleted too', async () => {
  const { listingId, id } = await written();
  const [first = '', second = ''] = await sourcesOf(listingId);
  await db
    .updateTable('reviews')
    .set(({ ref }) => ({ pictures: sql`${ref('pictures')} - 0` }))
    .where('id', '=', id)
    .execute();
  expect([await isServed(first), await isServed(second)]).toEqual([false, true]);
});

test('the photos of a withdrawn or removed review are not shown any more', async () => {
  const { author, listingId, id } = await written();
  const [source = ''] = await sourcesOf(listingId);
  await as(author).delete(`/review/${id}`);
  const page = JSON.stringify(await shownOf(listingId));
  const list = JSON.stringify((await asVisitor.get(`/listing/${listingId}/reviews`)).body);
  const file = JSON.stringify((await asVisitor.get(`/listing/${listingId}/reviews.json`)).body);
  expect([page, list, file].map((text) => text.includes(source))).toEqual([false, false, false]);
});

test('an author sees the photos of their own review, and their export has them', async () => {
  const { author, listingId } = await written();
  expect((await as(author).get(`/listing/${listingId}/reviews/mine`)).body.review.pictures).toHaveLength(2);
  const answer = await app.inject({ url: '/api/auth/export', headers: { authorization: `Bearer ${author.token}` } });
  const files = unzipped(answer.rawPayload);
  const [review] = JSON.parse(files.get('reviews.json')?.toString() ?? '[]');
  expect(review.pictures).toHaveLength(2);
  for (const name of review.pictures) expect(files.get(name)?.length).toBeGreaterThan(50);
});

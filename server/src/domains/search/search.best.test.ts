import { expect, test } from 'vitest';
import { bestScore } from '@handwise/contract/reviews/best-rating';
import { maxPaidPlacements } from '@handwise/contract/search/filters';
import { testApp } from '@handwise/sandbox/testing/app';
import { times } from '@handwise/sandbox/testing/times';
import { updateCategoryMeans } from './search.jobs.ts';

const { given, db, callers, parts } = await testApp();
const { asVisitor, onHost } = callers;

const [plumbing, electrical] = [6, 5];
const [taupo, sydney] = [306, 1701];
const authors = await times(12, () => given.user());

type Made = { id: string; number: number; counts: number[]; plan: 'basic' | 'featured'; district: number };
/** A listing with these numbers of reviews with 1, 2, 3, 4 and 5 stars. */
async function rated(counts: number[], more: { plan?: 'basic' | 'featured'; district?: number; category?: number } = {}): Promise<Made> {
  const { plan = 'basic', district = taupo, category = plumbing } = more;
  const { id, listing_number: number } = await given.listing({ plan, district, category });
  const ratings = counts.flatMap((count, index) => Array.from({ length: count }, () => index + 1));
  for (const [index, rating] of ratings.entries()) {
    const author_id = authors[index]?._id ?? '';
    await db.insertInto('reviews').values({ listing_id: id, author_id, rating, comment: 'Tidy work.' }).execute();
  }
  return { id, number, counts, plan, district };
}

const made = [
  await rated([0, 0, 0, 0, 1]),
  await rated([0, 0, 0, 2, 10]),
  await rated([2, 0, 0, 0, 0], { plan: 'featured' }),
  await rated([0, 0, 0, 0, 0]),
  await rated([0, 0, 0, 0, 0], { plan: 'featured' }),
  await rated([0, 0, 0, 0, 0]),
  await rated([1, 1, 1, 1, 1]),
  await rated([0, 0, 0, 0, 4], { district: sydney }),
  await rated([0, 1, 0, 3, 2], { district: sydney, plan: 'featured' }),
];
// Listings of other groups and inactive listings do not count.
await rated([9, 0, 0, 0, 0], { category: electrical });
await given.listing({ category: plumbing, district: taupo, status: 'inactive' });

// 30 reviews with 124 stars: 4.13 on average, which counts as 4.1.
const mean = 4.1;
await updateCategoryMeans(parts.context);
const rank = { featured: 3, basic: 1 };
function expected(listings = made) {
  const sorted = listings.toSorted(
    (a, b) => bestScore(b.counts, mean) - bestScore(a.counts, mean) || rank[b.plan] - rank[a.plan] || b.number - a.number,
  );
  const paid = sorted.filter(({ plan }) => plan === 'featured').slice(0, maxPaidPlacements);
  return [...paid, ...sorted.filter((one) => !paid.includes(one))].map(({ id }) => id);
}
const idsOf = (body: { listings: { _id: string }[] }) => body.listings.map(({ _id }) => _id);
const best = async (query: string) => (await asVisitor.get(`/listing/all?category=Plumbing&sort=best${query}`)).body;

test('sort=best lists paid placements, then a group by score, equal scores in the recommended order', async () => {
  const body = await best('');
  expect(idsOf(body)).toEqual(expected());
  expect(body).toMatchObject({ totalListings: made.length, totalPages: 1 });
  // Differs from the recommended order; many good reviews come before a single perfect one.
  expect(idsOf(body)).not.toEqual(idsOf((await asVisitor.get('/listing/all?category=Plumbing')).body));
  expect(idsOf(body)[3]).toBe(made[1]?.id);
});

test('the pages of sort=best have each listing once', async () => {
  const pages = await Promise.all([1, 2, 3, 4, 5].map((page) => best(`&limit=2&page=${page}`)));
  expect(pages.flatMap(idsOf)).toEqual(expected());
  expect(pages[4]).toMatchObject({ totalListings: 9, totalPages: 5, currentPage: 5 });
  expect(await best('&limit=2&page=6')).toMatchObject({ listings: [], totalListings: 9 });
});

test('sort=best within a place uses the same scores', async () => {
  const inSydney = expected(made.filter(({ district }) => district === sydney));
  expect(idsOf(await best('&country=AU'))).toEqual(inSydney);
  expect(idsOf(await best('&region=New South Wales'))).toEqual(inSydney);
  expect(idsOf(await best('&district=Taupo'))).toEqual(expected(made.filter(({ district }) => district === taupo)));
  expect(idsOf((await onHost('handwise.co.nz').get('/listing/all?category=Plumbing&sort=best')).body)).toHaveLength(7);
});

test.each(['', '&category=trade', '&category=Plumbing&subCategory=Drain cleaning', '&title=tap'])(
  'sort=best equals sort=rating: %s',
  async (query) => {
    const [byBest, byRating] = await Promise.all(['best', 'rating'].map((sort) => asVisitor.get(`/listing/all?sort=${sort}${query}`)));
    expect(byBest).toMatchObject({ status: 200, body: byRating?.body });
  },
);

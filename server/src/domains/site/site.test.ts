import { testApp } from '@handwise/sandbox/testing/app';
import { expect, test } from 'vitest';

const { given, callers } = await testApp();
const { asVisitor } = callers;

type Counted = { slug: string; listings: number };
const filled = (counted: Counted[]) => Object.fromEntries(counted.filter((one) => one.listings > 0).map((one) => [one.slug, one.listings]));

test('a category is counted by region and a region by category, active listings only', async () => {
  const sellerId = (await given.user())._id;
  await given.listing({ sellerId, category: 6, district: 306 });
  await given.listing({ sellerId, category: 6, district: 1503 });
  await given.listing({ sellerId, category: 7, district: 1503 });
  await given.listing({ sellerId, category: 7, district: 1701 });
  await given.listing({ sellerId, category: 6, district: 306, status: 'inactive' });

  const plumbing = await asVisitor.get('/facts?category=plumbing');
  expect(filled(plumbing.body.regions)).toEqual({ waikato: 1, otago: 1 });
  expect(plumbing.body.listings).toBe(4);

  const otago = await asVisitor.get('/facts?region=otago');
  expect(filled(otago.body.categories)).toEqual({ plumbing: 1, roofing: 1 });

  const roofingInNewZealand = await asVisitor.get('/facts?country=NZ&category=roofing');
  expect(filled(roofingInNewZealand.body.regions)).toEqual({ otago: 1 });
});

test.each(['/facts?category=astrology', '/facts?region=atlantis', '/facts?country=FJ', '/facts?colour=red'])(
  '%s is refused',
  async (path) => {
    expect(await asVisitor.get(path)).toMatchObject({ status: 400, body: { code: 'invalid_input' } });
  },
);

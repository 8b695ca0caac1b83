import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { pageSize } from '@handwise/contract/listings/calls';
import { categories } from '@handwise/contract/listings/categories';
import { kmBetween } from '@handwise/contract/places/distance';
import { findDistrict, regions } from '@handwise/contract/places/regions';
import { findLocality, findMainTown } from '@handwise/server/domains/places/places.service';
import { aucklandDays } from './conversations.ts';
import { demoSeed, generateDemo } from './generate.ts';
import { commonTrades, mainTrades } from './market.ts';
import { imagePath, scenes } from './pictures.ts';
import { getWords } from './words.ts';

const now = new Date('2026-11-21T03:00:00Z');
const demo = generateDemo(demoSeed, now);
const rows = demo.listings.map((listing) => listing.row);

const byName = (one: string, other: string) => (one < other ? -1 : 1);
const countBy = <T>(items: readonly T[], keyOf: (item: T) => string) => {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(keyOf(item), (counts.get(keyOf(item)) ?? 0) + 1);
  return counts;
};

test('generates the same rows for one seed and day, and the same ids on another day', () => {
  expect(generateDemo(demoSeed, new Date('2026-11-21T09:59:00Z'))).toEqual(demo);
  const later = generateDemo(demoSeed, new Date('2026-12-03T03:00:00Z'));
  expect(later.listings.map(({ row }) => row.id)).toEqual(rows.map((row) => row.id));
  expect(later.users.map((user) => user.username)).toEqual(demo.users.map((user) => user.username));
});

test('generates 2,500 to 2,600 listings and 5,000 reviews, about 94 % of listings active', () => {
  expect(rows.length).toBeGreaterThanOrEqual(2500);
  expect(rows.length).toBeLessThanOrEqual(2600);
  expect(demo.reviews.length).toBeGreaterThanOrEqual(5000);
  const active = rows.filter((row) => row.status === 'active').length / rows.length;
  expect(active).toBeGreaterThan(0.9);
  expect(active).toBeLessThan(0.97);
});

test('has active listings for each region and category, and for each sub-category', () => {
  const active = rows.filter((row) => row.status === 'active');
  const corners = new Set(active.map((row) => `${row.region_code}/${row.category_code}`));
  for (const region of regions) for (const category of categories) expect(corners).toContain(`${region.code}/${category.code}`);
  const subs = new Set(active.map((row) => row.sub_category_code));
  for (const category of categories) for (const sub of category.subCategories) expect(subs).toContain(sub.code);
});

/** Active listings of a trade that are based within so many kilometres of a district's main town. */
function countNear(district: string, { subCodes, specialism }: (typeof mainTrades)[number], km: number) {
  const centre = findMainTown(findDistrict(district)?.district.code ?? 0);
  return demo.listings.filter(({ row, work }) => {
    const base = row.base_locality_code === null ? undefined : findLocality(row.base_locality_code);
    const isIt = specialism ? work === specialism : typeof work === 'number' && subCodes.includes(work);
    return row.status === 'active' && isIt && base && centre && kmBetween(base, centre) <= km;
  }).length;
}

test.each(Object.entries({ Auckland: 8, Sydney: 8, Melbourne: 8, Brisbane: 8 }))(
  '%s has at least %d active businesses of each main trade within 25 km',
  (city, count) => {
    for (const trade of mainTrades) expect([trade.name, countNear(city, trade, 25) >= count]).toEqual([trade.name, true]);
  },
);

test.each(['Wellington City', 'Christchurch', 'Hamilton', 'Perth', 'Adelaide'])(
  '%s has at least four active businesses of each main trade within 25 km',
  (city) => {
    for (const trade of mainTrades) expect([trade.name, countNear(city, trade, 25) >= 4]).toEqual([trade.name, true]);
  },
);

test.each(['Tauranga', 'Dunedin', 'Nelson', 'Invercargill', 'Geelong', 'Hobart', 'Cairns', 'Toowoomba'])(
  '%s, a medium town, has a business of each main and common trade within 25 km',
  (town) => {
    for (const trade of [...mainTrades, ...commonTrades]) expect([trade.name, countNear(town, trade, 25) >= 1]).toEqual([trade.name, true]);
  },
);

test('names of specialised businesses and their titles name the same work', () => {
  const shown = {
    'heat pumps': /heat pump|air|heating|cooling/i,
    tiling: /til(?:e|ing)/i,
    locks: /lock|key/i,
  };
  for (const { row, work } of demo.listings) {
    if (typeof work === 'number') continue;
    expect([work, row.business_title]).toEqual([work, expect.stringMatching(shown[work])]);
    expect([work, row.service_title]).toEqual([work, expect.stringMatching(shown[work])]);
  }
});

test('generates texts that satisfy the columns and the product’s schemas', () => {
  for (const row of rows) {
    expect(row.service_title.length).toBeLessThanOrEqual(120);
    expect(row.service_description.length).toBeGreaterThan(80);
    expect(row.business_info.length).toBeGreaterThanOrEqual(50);
    expect(row.business_info.length).toBeLessThanOrEqual(500);
    expect(row.services.length).toBeGreaterThan(2);
    expect(`${row.service_title}${row.service_description}${row.business_info}`).not.toMatch(/[{}]|undefined/);
  }
  for (const review of demo.reviews) expect(review.comment.length).toBeGreaterThan(0);
  expect(Math.max(...demo.reviews.map((review) => review.comment.length))).toBeLessThanOrEqual(250);
  expect(new Set(rows.map((row) => `${row.business_title}\n${row.service_title}`)).size).toBe(rows.length);
});

test.each(['2026-11-21T03:00:00Z', '2026-10-31T23:30:00Z', '2027-01-01T01:00:00Z', '2027-04-05T00:00:00Z'])(
  'creates 1,600 messages in the last month in Auckland before %s',
  (instant) => {
    const { messages } = generateDemo(demoSeed, new Date(instant));
    const { lastMonth, thisMonth } = aucklandDays(new Date(instant));
    const inLast = messages.filter(({ created_at }) => Date.parse(created_at) >= lastMonth && Date.parse(created_at) < thisMonth);
    expect(inLast).toHaveLength(1600);
    expect(messages.every(({ created_at }) => Date.parse(created_at) <= Date.parse(instant))).toBe(true);
  },
);

test('gives the demo seller listings in each status', () => {
  const seller = demo.users.find((user) => user.email === 'seller@example.com');
  const own = rows.filter((row) => row.seller_id === seller?.id);
  expect(Object.fromEntries(countBy(own, (row) => row.status))).toEqual({ active: 3, inactive: 1, expired: 2 });
});

test('every picture has an image, every image is unique and used, and all have at most 4 MB', () => {
  const orders = demo.listings.flatMap((listing) => listing.pictures);
  const stored = readdirSync(join(import.meta.dirname, '../images')).map((name) => join(import.meta.dirname, '../images', name));
  const numbered = Object.entries(scenes).flatMap(([kind, { images }]) =>
    Array.from({ length: images }, (_, index) => imagePath({ kind: kind as keyof typeof scenes, number: index + 1 })),
  );
  expect(stored.toSorted(byName)).toEqual(numbered.toSorted(byName));
  const used = new Set(orders.map(imagePath));
  expect([...used].filter((path) => !stored.includes(path))).toEqual([]);
  const contents = stored.map((path) => readFileSync(path));
  expect(new Set(contents.map((bytes) => bytes.toString('base64'))).size).toBe(stored.length);
  expect(contents.reduce((total, bytes) => total + bytes.length, 0)).toBeLessThanOrEqual(4_000_000);
  for (const category of categories) for (const sub of category.subCategories) expect(getWords(sub.code).scenes.length).toBeGreaterThan(2);
});

test.each([undefined, 'NZ', 'AU'])('shows no picture twice on the first page of a category: %s', (country) => {
  const active = demo.listings.filter(({ row }) => row.status === 'active' && (!country || row.country === country));
  const ranked = active.toSorted(
    ({ row: one }, { row: other }) => other.plan_rank - one.plan_rank || other.created_at.localeCompare(one.created_at),
  );
  for (const { code } of categories) {
    const page = ranked.filter(({ row }) => row.category_code === code).slice(0, pageSize);
    const covers = page.flatMap(({ pictures: [cover] }) => (cover ? [`${cover.kind} ${cover.number}`] : []));
    expect([code, new Set(covers).size]).toEqual([code, covers.length]);
    expect(covers.length).toBeGreaterThan(10);
  }
});

test('neighbours in a list show different pictures, whatever the place, group or sub-category', () => {
  const ranked = demo.listings
    .filter(({ row }) => row.status === 'active')
    .toSorted(({ row: one }, { row: other }) => other.plan_rank - one.plan_rank || other.listing_number - one.listing_number);
  const lists = Map.groupBy(
    ranked.flatMap((listing) => {
      const { country, region_code, district_code, category_code, sub_category_code } = listing.row;
      return [country, region_code, district_code].flatMap((place) =>
        ['all', `group ${category_code}`, `sub ${sub_category_code}`].map((kind) => ({ list: `${kind} in ${place}`, listing })),
      );
    }),
    ({ list }) => list,
  );
  const alike = [...lists].flatMap(([list, all]) =>
    all.slice(1).flatMap(
      (
        {
          listing: {
            pictures: [cover],
          },
        },
        index,
      ) => {
        const [before] = all[index]?.listing.pictures ?? [];
        return cover?.kind === before?.kind && cover?.number === before?.number ? [list] : [];
      },
    ),
  );
  expect(alike).toEqual([]);
});

test('the demo buyer and seller have read and unread conversations, each about a listing that existed', () => {
  const listings = new Map(rows.map((row) => [row.id, row]));
  const idOf = (email: string) => demo.users.find((user) => user.email === email)?.id;
  for (const [email, role] of [
    ['buyer@example.com', 'buyer'],
    ['seller@example.com', 'seller'],
  ] as const) {
    const own = demo.participants.filter((one) => one.role === role && one.user_id === idOf(email));
    expect(own.length).toBeGreaterThanOrEqual(4);
    expect(own.filter((one) => one.unread > 0).length).toBeGreaterThanOrEqual(2);
    expect(own.filter((one) => one.unread === 0).length).toBeGreaterThanOrEqual(2);
  }
  expect(new Set(demo.conversations.map((one) => one.listing_id + one.buyer_id)).size).toBe(demo.conversations.length);
  for (const one of demo.conversations) {
    const listing = listings.get(one.listing_id);
    expect(listing?.seller_id).toBe(one.seller_id);
    expect(one.buyer_id).not.toBe(one.seller_id);
    expect(one.created_at > (listing?.created_at ?? '~')).toBe(true);
  }
});

test('the demo buyer has an unanswered quote request and one with two of three answers; the demo seller an open and a closed one', () => {
  const idOf = (email: string) => demo.users.find((user) => user.email === email)?.id;
  const conversations = new Map(demo.conversations.map((one) => [one.id, one]));
  const first = new Map(demo.numbered.filter(({ number }) => number === 1).map((one) => [one.conversation_id, one.body]));
  const summaries = demo.quoteRequests.map((request) => {
    const receivers = demo.quoteRequestReceivers.filter((one) => one.request_id === request.id);
    const contacted = receivers.map((one) => conversations.get(one.conversation_id));
    // The request is the first message of each conversation and goes to each business once.
    expect(receivers.map((one) => [one.place, first.get(one.conversation_id)])).toEqual(
      receivers.map((_, index) => [index + 1, request.job]),
    );
    expect(contacted.every((conversation) => conversation?.buyer_id === request.user_id)).toBe(true);
    expect(new Set(contacted.map((conversation) => conversation?.seller_id)).size).toBe(receivers.length);
    expect(request.created_at <= (request.closed_at ?? '~') && (request.closed_at ?? '') <= now.toISOString()).toBe(true);
    expect(
      (request.wanted_on ?? '~') > now.toISOString().slice(0, 10) && (request.wanted_on !== null) === (request.timing === 'date'),
    ).toBe(true);
    const answered = contacted.filter((conversation) => conversation?.answered_at).length;
    return {
      user: request.user_id,
      sellers: contacted.map((conversation) => conversation?.seller_id),
      answered,
      isOpen: request.closed_at === null,
    };
  });
  expect(
    summaries
      .filter(({ user }) => user === idOf('buyer@example.com'))
      .map(({ sellers, answered, isOpen }) => [sellers.length, answered, isOpen]),
  ).toEqual([
    [2, 0, true],
    [3, 2, true],
  ]);
  const own = summaries.filter(({ sellers }) => sellers.includes(idOf('seller@example.com')));
  expect(own.map(({ answered, isOpen }) => [answered, isOpen])).toEqual([
    [0, true],
    [1, false],
  ]);
});

test('gives the demo buyer saved listings, one of them expired', () => {
  const byId = new Map(rows.map((row) => [row.id, row.status]));
  const buyer = demo.users.find((user) => user.email === 'buyer@example.com');
  const saved = demo.saved.filter((one) => one.user_id === buyer?.id);
  expect(saved.map((one) => byId.get(one.listing_id))).toEqual(['active', 'active', 'active', 'active', 'expired', 'active', 'active']);
});

test('no service area includes a district a day’s drive away', () => {
  const areas = rows.map((row) => row.service_districts).filter((districts) => districts !== null);
  expect(areas.some((districts) => districts.length > 2)).toBe(true);
  // Townsville, Cairns and Mackay are more than a thousand kilometres from Brisbane.
  expect(areas.filter((districts) => districts.includes(1901) && [1904, 1905, 1907].some((far) => districts.includes(far)))).toEqual([]);
  for (const districts of areas) expect(new Set(districts).size).toBe(districts.length);
});

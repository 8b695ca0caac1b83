import { maxSuggestions } from '@handwise/contract/search-suggest';
import { testApp } from '@handwise/sandbox/test-app';
import { expect, test } from 'vitest';

const { given, db, callers, parts } = await testApp();
const { asVisitor, onHost } = callers;

type Suggestion = { kind: string; label: string; detail: string; query: string };

const suggested = async (query: string, caller = asVisitor): Promise<Suggestion[]> => {
  const answer = await caller.get(`/search/suggest?${query}`);
  expect(answer.status).toBe(200);
  return answer.body.suggestions;
};
const labels = async (query: string, kind: string, caller = asVisitor) =>
  (await suggested(query, caller)).filter((one) => one.kind === kind).map(({ label }) => label);

test('groups and sub-categories are suggested by the beginning of any of their words, those that begin so first', async () => {
  expect(await suggested('q=plum')).toEqual([
    { kind: 'category', label: 'Plumbing', detail: '', query: 'category=plumbing' },
    {
      kind: 'category',
      label: 'Residential plumbing',
      detail: 'Plumbing',
      query: 'category=plumbing&subCategory=residential-plumbing',
    },
    { kind: 'category', label: 'Commercial plumbing', detail: 'Plumbing', query: 'category=plumbing&subCategory=commercial-plumbing' },
    { kind: 'category', label: 'Emergency plumbing', detail: 'Plumbing', query: 'category=plumbing&subCategory=emergency-plumbing' },
  ]);
});

test('a sub-category of two groups is suggested with the group of each', async () => {
  expect((await suggested('q=appliance')).map(({ detail }) => detail)).toEqual(['Electrical & Gas', 'Home Improvement']);
});

test('beside a place, what is suggested keeps that place, and places are not suggested', async () => {
  await given.listing({ title: 'Otahuna roof care', business: 'Otahuna Roofing' });
  const found = await suggested('q=ota&where=Taup%C5%8D');
  expect(found.map(({ kind }) => kind)).toEqual(['business', 'listing']);
  expect(found.map(({ query }) => new URLSearchParams(query).get('where'))).toEqual(['Taupō', 'Taupō']);
  expect((await suggested('q=roofi&where=Taupo'))[0]?.query).toBe('category=roofing&where=Taupo');
});

test('a business is suggested once, by the beginning of its name without macrons and signs, with what it does and where', async () => {
  await given.listing({ title: 'Drains', business: 'Ōkato O’Brien & Sons', category: 6, district: 703 });
  for (const begun of ['ok', 'okato obr', "ŌKATO  O'BRIEN & S", 'okato obrien sons', 'Okato O’Brien & Sons']) {
    expect(await suggested(`q=${encodeURIComponent(begun)}`)).toEqual([
      {
        kind: 'business',
        label: 'Ōkato O’Brien & Sons',
        detail: 'Plumbing, Stratford',
        query: 'q=%C5%8Ckato+O%E2%80%99Brien+%26+Sons&raw=1',
      },
    ]);
  }
  expect(await suggested('q=brien')).toEqual([]);
  // With a second listing elsewhere the one place would be half of the truth.
  await given.listing({ title: 'Drains too', business: 'Okato OBrien and Sons'.replace('and ', ''), category: 6, district: 701 });
  expect((await suggested('q=okato')).map(({ detail }) => detail)).toEqual(['Plumbing']);
});

test('a title is suggested with the business that it is of', async () => {
  await given.listing({ title: 'Quokka-proof fences', business: 'Karri Fencing' });
  expect(await suggested('q=quok')).toEqual([
    { kind: 'listing', label: 'Quokka-proof fences', detail: 'Karri Fencing', query: 'q=Quokka-proof+fences&raw=1' },
  ]);
});

test('of names that begin so, one that is exactly so comes first, then the higher paid rank, then the newest', async () => {
  for (const [business, plan] of [
    ['Zenith Basic', 'basic'],
    ['Zenith Featured', 'featured'],
    ['Zenith', 'basic'],
    ['Zenith Premium', 'premium'],
    ['Zenith Another', 'basic'],
  ] as const) {
    await given.listing({ title: `${plan} work`, business, plan });
  }
  expect(await labels('q=zenith', 'business')).toEqual(['Zenith', 'Zenith Featured', 'Zenith Premium', 'Zenith Another', 'Zenith Basic']);
});

test('only names of active listings are suggested, from the moment on that they are', async () => {
  const { id } = await given.listing({ title: 'Xanthic paint', business: 'Xanthic', status: 'inactive' });
  expect(await suggested('q=xanth')).toEqual([]);
  await db.updateTable('listings').set({ status: 'active' }).where('id', '=', id).execute();
  await parts.context.events.catchUp();
  expect((await suggested('q=xanth')).map(({ kind }) => kind)).toEqual(['business', 'listing']);
});

test('a site of one country suggests what is there only', async () => {
  await given.listing({ title: 'Wombat doors', business: 'Wombat Doors', district: 1801 });
  const inNewZealand = onHost('handwise.co.nz');
  expect(await labels('q=wombat', 'business')).toEqual(['Wombat Doors']);
  expect(await labels('q=wombat', 'business', inNewZealand)).toEqual([]);
  expect(await labels('where=vic', 'place')).toEqual(['Victoria', 'Victor Harbor']);
  expect(await labels('where=vic', 'place', inNewZealand)).toEqual([]);
});

test('one letter suggests no names of listings: nearly all begin so', async () => {
  await given.listing({ title: 'Yes', business: 'Yabby' });
  expect(await suggested('q=y')).toEqual([]);
  expect(await labels('q=ya', 'business')).toEqual(['Yabby']);
});

test('however many names begin so, at most eight suggestions are made, of each kind some', async () => {
  for (const n of [1, 2, 3, 4, 5, 6]) await given.listing({ title: `Wind ${n} sails`, business: `Wind ${n}` });
  const found = await suggested('q=wind');
  expect(found).toHaveLength(maxSuggestions);
  expect(found.map(({ kind }) => kind)).toEqual([...Array(4).fill('category'), ...Array(3).fill('business'), 'listing']);
});

test.each([
  '',
  'q=',
  'where=',
  'q=%20',
  'q=%26',
  'where=!!!',
  `q=${'x'.repeat(120)}`,
  `where=${'%F0%9F%98%80'.repeat(60)}`,
  'q=%25',
  'q=_',
])('for "%s" nothing is suggested', async (query) => expect(await suggested(query)).toEqual([]));

test.each(['q=a&q=b', `q=${'x'.repeat(121)}`, 'what=a', 'q=%00'])('"%s" is refused', async (query) => {
  expect((await asVisitor.get(`/search/suggest?${query}`)).status).toBe(400);
});

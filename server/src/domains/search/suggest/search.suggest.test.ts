import { type KyselyPlugin, RawNode, sql } from 'kysely';
import { expect, test } from 'vitest';
import { maxSuggestions } from '@handwise/contract/search/suggest';
import { testApp } from '@handwise/sandbox/testing/app';
import { listPlacesByName } from '../../places/places.service.ts';
import { listNamesStarting } from '../index/search.statements.ts';
import { suggestPlace } from './search.suggest.ts';

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

test('suggests groups and sub-categories by the prefix of any word, matches of the first word first', async () => {
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

test('suggests the towns of the asked country first, and cities by their first names', async () => {
  expect((await suggested('where=newtow&country=NZ'))[0]).toMatchObject({ label: 'Newtown', detail: 'Wellington' });
  expect((await suggested('where=newtow&country=AU'))[0]).toMatchObject({ label: 'Newtown', detail: 'New South Wales' });
  const [city] = await suggested('where=otepo');
  expect(city).toEqual({
    kind: 'place',
    label: 'Ōtepoti (Dunedin)',
    detail: 'Otago',
    query: 'country=NZ&region=otago&district=dunedin',
  });
  // What the field holds after the choice.
  expect(listPlacesByName(`${city?.label}, ${city?.detail}`, null)[0]?.label).toBe('Dunedin, Otago');
});

test('a sub-category with an ambiguous name is suggested with its group', async () => {
  expect((await suggested('q=comm')).map(({ label, detail }) => [label, detail])).toEqual([
    ['Commercial building', 'Building & Construction'],
    ['Commercial plumbing', 'Plumbing'],
    ['Commercial cleaning', 'Cleaning'],
  ]);
});

test('a sub-category of two groups is suggested once for each group', async () => {
  expect((await suggested('q=appliance')).map(({ detail }) => detail)).toEqual(['Electrical & Gas', 'Home Improvement']);
});

test.each([
  ['sparky', 'Electricians', 'Electrical & Gas', 'category=electrical-gas&subCategory=electricians'],
  ['sparkies', 'Electricians', 'Electrical & Gas', 'category=electrical-gas&subCategory=electricians'],
  ['plumber', 'Plumbing', '', 'category=plumbing'],
  ['lawnmow', 'Lawn maintenance', 'Landscape & Lawn Maintenance', 'category=landscape-lawn-maintenance&subCategory=lawn-maintenance'],
  ['fridg', 'Appliance repairs', '', 'subCategory=appliance-repairs'],
  ['tiler', 'Tiler', 'Building & Construction', 'q=tiler'],
  ['heat pu', 'Heat pump', 'Electricians', 'q=heat+pump'],
])('"%s" suggests the category of the trade', async (typed, label, detail, query) => {
  expect((await suggested(`q=${encodeURIComponent(typed)}`))[0]).toEqual({ kind: 'category', label, detail, query });
});

test('two letters match names of categories only, three also names of trades', async () => {
  expect(await labels('q=di', 'category')).toEqual([]);
  expect(await labels('q=dig', 'category')).toEqual(['Digger', 'Digger driver']);
});

test('with a place, suggestions keep the place and include no places', async () => {
  await given.listing({ title: 'Otahuna roof care', business: 'Otahuna Roofing' });
  const found = await suggested('q=ota&where=Taup%C5%8D');
  expect(found.map(({ kind }) => kind)).toEqual(['business', 'listing']);
  expect(found.map(({ query }) => new URLSearchParams(query).get('where'))).toEqual(['Taupō', 'Taupō']);
  expect((await suggested('q=roofi&where=Taupo'))[0]?.query).toBe('category=roofing&where=Taupo');
});

test('a business is suggested once by a prefix of its name, ignoring macrons and punctuation, with category and place', async () => {
  await given.listing({ title: 'Drains', business: 'Ōkato O’Brien & Sons', category: 6, district: 703 });
  for (const typed of ['ok', 'okato obr', "ŌKATO  O'BRIEN & S", 'okato obrien sons', 'Okato O’Brien & Sons']) {
    expect(await suggested(`q=${encodeURIComponent(typed)}`)).toEqual([
      {
        kind: 'business',
        label: 'Ōkato O’Brien & Sons',
        detail: 'Plumbing, Stratford',
        query: 'q=%C5%8Ckato+O%E2%80%99Brien+%26+Sons&raw=1',
      },
    ]);
  }
  expect(await suggested('q=brien')).toEqual([]);
  // With listings in two places, no place is shown.
  await given.listing({ title: 'Drains too', business: 'Okato OBrien and Sons'.replace('and ', ''), category: 6, district: 701 });
  expect((await suggested('q=okato')).map(({ detail }) => detail)).toEqual(['Plumbing']);
});

test('a title is suggested with its business', async () => {
  await given.listing({ title: 'Quokka-proof fences', business: 'Karri Fencing' });
  expect(await suggested('q=quok')).toEqual([
    { kind: 'listing', label: 'Quokka-proof fences', detail: 'Karri Fencing', query: 'q=Quokka-proof+fences&raw=1' },
  ]);
});

// Turns a statement into its EXPLAIN.
const explaining: KyselyPlugin = {
  transformQuery: ({ node }) =>
    RawNode.is(node) ? { ...node, sqlFragments: [`explain ${node.sqlFragments[0]}`, ...node.sqlFragments.slice(1)] } : node,
  transformResult: async ({ result }) => result,
};

test.each(['business', 'listing'] as const)('suggesting a %s is an index-only scan', async (kind) => {
  const plan = await db.transaction().execute(async (tx) => {
    for (const name of ['seqscan', 'bitmapscan', 'sort']) await sql`set local ${sql.raw(`enable_${name}`)} = off`.execute(tx);
    return JSON.stringify((await listNamesStarting(kind, 'wi', ['NZ'], 8).execute(tx.withPlugin(explaining))).rows);
  });
  expect(plan.match(/\w[\w ]* on listings|Scan using \w+ on listings/g)).toEqual([
    `Index Only Scan using listings_${kind === 'listing' ? 'title' : kind}_names on listings`,
  ]);
});

test('orders names: an exact match, then by paid rank, then newest', async () => {
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
  // The best listing of a name counts.
  await given.listing({ title: 'more work', business: 'Zenith Basic' });
  expect((await labels('q=zenith', 'business')).slice(3)).toEqual(['Zenith Basic', 'Zenith Another']);
  await given.listing({ title: 'premium work', business: 'Zenith Another', plan: 'premium' });
  expect((await labels('q=zenith', 'business')).slice(1, 3)).toEqual(['Zenith Featured', 'Zenith Another']);
});

test('suggests names of active listings only, as soon as they are active', async () => {
  const { id } = await given.listing({ title: 'Xanthic paint', business: 'Xanthic', status: 'inactive' });
  expect(await suggested('q=xanth')).toEqual([]);
  await db.updateTable('listings').set({ status: 'active' }).where('id', '=', id).execute();
  await parts.context.events.catchUp();
  expect((await suggested('q=xanth')).map(({ kind }) => kind)).toEqual(['business', 'listing']);
});

test('a site of one country suggests only its own listings and places', async () => {
  await given.listing({ title: 'Wombat doors', business: 'Wombat Doors', district: 1801 });
  const inNewZealand = onHost('handwise.co.nz');
  expect(await labels('q=wombat', 'business')).toEqual(['Wombat Doors']);
  expect(await labels('q=wombat', 'business', inNewZealand)).toEqual([]);
  expect((await labels('where=geelo', 'place')).slice(0, 2)).toEqual(['Geelong', 'Geelong West']);
  expect(await labels('where=geelo', 'place', inNewZealand)).toEqual([]);
  expect(await labels('q=geelo', 'place')).toEqual(['Geelong']);
  expect(await labels('q=geelo', 'place', inNewZealand)).toEqual([]);
});

test('a site of one country suggests its own names even if the first eight of both countries are elsewhere', async () => {
  const sellerId = (await given.user())._id;
  for (const n of [1, 2, 3, 4, 5, 6, 7, 8, 9])
    await given.listing({ title: `Numbat ${n} doors`, business: `Numbat ${n}`, plan: 'featured', district: 1801, sellerId });
  await given.listing({ title: 'Numbat doors of Hutt', business: 'Numbat of Hutt' });
  const inNewZealand = onHost('handwise.co.nz');
  expect(await labels('q=numbat', 'business')).not.toContain('Numbat of Hutt');
  expect(await labels('q=numbat', 'business', inNewZealand)).toEqual(['Numbat of Hutt']);
  expect(await labels('q=numbat', 'listing', inNewZealand)).toEqual(['Numbat doors of Hutt']);
  expect(await labels('where=bal', 'place')).not.toContain('Balclutha');
  expect(await labels('where=bal', 'place', inNewZealand)).toContain('Balclutha');
});

test('one letter suggests names of listings', async () => {
  await given.listing({ title: 'Yes', business: 'Yabby' });
  expect(await labels('q=y', 'business')).toEqual(['Yabby']);
  expect(await labels('q=ya', 'business')).toEqual(['Yabby']);
});

test('makes at most eight suggestions, some of each kind, including an exact match', async () => {
  const sellerId = (await given.user())._id;
  await given.listing({ title: 'Sails', business: 'Wind', sellerId });
  for (const n of [1, 2, 3, 4, 5, 6, 7, 8])
    await given.listing({ title: `Wind ${n} sails`, business: `Wind ${n}`, plan: 'premium', sellerId });
  const found = await suggested('q=wind');
  expect(found).toHaveLength(maxSuggestions);
  expect(found.map(({ kind }) => kind)).toEqual([...Array(4).fill('category'), ...Array(3).fill('business'), 'listing']);
  expect(found.slice(4).map(({ label }) => label)).toEqual(['Wind', 'Wind 8', 'Wind 7', 'Wind 8 sails']);
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
])('"%s" has no suggestions', async (query) => expect(await suggested(query)).toEqual([]));

test.each(['q=a&q=b', `q=${'x'.repeat(121)}`, 'what=a', 'q=%00'])('rejects "%s"', async (query) => {
  expect((await asVisitor.get(`/search/suggest?${query}`)).status).toBe(400);
});

test('where suggests places only, biggest first, ignoring macrons', async () => {
  await given.listing({ title: 'Hamilton glass', business: 'Hamilton Glass' });
  const found = await suggested('where=hamil');
  expect(found[0]).toEqual({ kind: 'place', label: 'Hamilton', detail: 'Waikato', query: 'country=NZ&region=waikato&district=hamilton' });
  expect(found.map(({ kind }) => kind)).toEqual(Array(found.length).fill('place'));
  expect(found.length).toBeLessThanOrEqual(maxSuggestions);
  expect((await suggested('where=waikat'))[0]).toEqual({
    kind: 'place',
    label: 'Waikato',
    detail: 'New Zealand',
    query: 'country=NZ&region=waikato',
  });
  expect((await suggested('where=whangarei'))[0]).toMatchObject({ label: 'Whangārei', detail: 'Northland' });
  expect((await suggested('where=papamo'))[0]).toEqual({
    kind: 'place',
    label: 'Pāpāmoa',
    detail: 'Bay of Plenty',
    query: 'where=P%C4%81p%C4%81moa%2C+Bay+of+Plenty',
  });
});

test('the label and detail of a suggested place identify it', async () => {
  for (const typed of ['where=hamil', 'where=wa', 'where=s', 'where=vic', 'where=st', 'where=new', 'where=taup']) {
    for (const { label, detail, query } of await suggested(typed)) {
      const [place] = listPlacesByName(detail ? `${label}, ${detail}` : label, null);
      expect([label, place && suggestPlace(place).query]).toEqual([label, query]);
    }
  }
});

test('q suggests regions and districts, but no towns', async () => {
  expect(await suggested('q=waip')).toEqual([
    { kind: 'place', label: 'Waipā', detail: 'Waikato', query: 'country=NZ&region=waikato&district=waipa' },
  ]);
  expect(await labels('q=w', 'place')).toEqual([]);
});

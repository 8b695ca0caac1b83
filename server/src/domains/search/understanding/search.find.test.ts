import { expect, test } from 'vitest';
import { findCategory, findSubCategories } from '@handwise/contract/listings/categories';
import { testApp } from '@handwise/sandbox/testing/app';
import { searches } from '../../../../test/search/searches.table.ts';
import { findLocalityBySlug, listPlacesByName } from '../../places/places.service.ts';

const { db, given, callers } = await testApp();
const { asVisitor } = callers;

await given.listing({ title: 'Taps mended by Aroha', district: 301, category: 6, subCategory: 601 });
await given.listing({ title: 'Switchboards by Tane', district: 1901, category: 5, subCategory: 501 });

const find = async (query: string) => {
  const { status, body } = await asVisitor.get(`/search?${query}`);
  expect([query, status]).toEqual([query, 200]);
  return body;
};
const titlesOf = (body: { listings: { serviceTitle: string }[] }) => body.listings.map((one) => one.serviceTitle);

test.each([
  ['category=plumbing&where=hamilton', 'Taps mended by Aroha', { category: 'Plumbing', place: 'Hamilton, Waikato' }],
  [
    'where=Queensland',
    'Switchboards by Tane',
    { place: 'Queensland', area: { country: 'AU', region: 'queensland', district: null, town: null } },
  ],
  ['q=aroha', 'Taps mended by Aroha', { words: 'aroha', category: null, place: null, area: null }],
  [
    'q=switchboards&country=AU',
    'Switchboards by Tane',
    { category: 'Electrical & Gas', subCategory: 'Electricians', words: '', place: 'Australia' },
  ],
  ['q=plumber%09hamilton', 'Taps mended by Aroha', { category: 'Plumbing', place: 'Hamilton, Waikato' }],
  ['q=%E2%80%AAaro%C2%ADha%E2%80%AC', 'Taps mended by Aroha', { words: 'aroha' }],
  ['subCategory=Electricians', 'Switchboards by Tane', { category: 'Electrical & Gas', subCategory: 'Electricians' }],
])('?%s finds a listing and says how it was understood', async (query, title, understood) => {
  const body = await find(query);
  expect([titlesOf(body), body.totalListings]).toEqual([[title], 1]);
  expect(body.understood).toMatchObject(understood);
});

test.each([
  ['nothing=1', 'nothing'],
  ['sort=cheapest', 'sort'],
  ['km=0', 'km'],
  ['km=201', 'km'],
  ['minRating=2', 'minRating'],
  ['verified=yes', 'verified'],
  ['maxPrice=1.5', 'maxPrice'],
  ['raw=2', 'raw'],
  [`q=${'x'.repeat(121)}`, 'q'],
  ['where=Narnia', 'where'],
  ['near=Narnia', 'near'],
  ['near=Waikato', 'near'],
  ['near=-37.791,175.28', 'near'],
  ['near=-37.79,175.281', 'near'],
  ['near=-90.01,175.28', 'near'],
  ['near=-37.79,180.01', 'near'],
  ['km=25', 'km'],
  ['sort=nearest', 'sort'],
  ['q=plumber&sort=nearest', 'sort'],
  ['country=NZ&sort=nearest', 'sort'],
  ['page=51', 'page'],
  ['serves=1', 'serves'],
])('rejects ?%s with an error for %s', async (query, field) => {
  const { status, body } = await asVisitor.get(`/search?${query}`);
  expect([status, body.code, body.errors.map((one: { field: string }) => one.field)]).toEqual([400, 'invalid_input', [field]]);
});

const alternativesOf = (body: { alternatives: { label: string; total: number; query: string }[] }) => body.alternatives;

test.each([
  ['plumber hamilton', 'Taps mended by Aroha', { category: 'Plumbing', place: 'Hamilton, Waikato', words: '' }],
  ['plumer hamiltn', 'Taps mended by Aroha', { category: 'Plumbing', place: 'Hamilton, Waikato', corrected: 'plumber Hamilton' }],
  ['sparky', 'Switchboards by Tane', { category: 'Electrical & Gas', subCategory: 'Electricians', corrected: null }],
  ['electrician brisbane', 'Switchboards by Tane', { subCategory: 'Electricians', place: 'Brisbane, Queensland' }],
  ['plumber near me', 'Taps mended by Aroha', { category: 'Plumbing', place: null, nearMe: true }],
])('“%s” is understood as a trade and a place', async (q, title, understood) => {
  const body = await find(`q=${encodeURIComponent(q)}`);
  expect(titlesOf(body)).toEqual([title]);
  expect(body.understood).toMatchObject(understood);
});

test('searches the words as typed with raw=1 and if no interpretation finds anything', async () => {
  await given.listing({ title: 'Quokka Window Co', district: 901, category: 12 });
  expect((await find('q=plumber hamilton&raw=1')).understood).toMatchObject({ category: null, place: null, words: 'plumber hamilton' });
  const named = await find('q=quokka window');
  expect([titlesOf(named), named.understood.words, named.understood.category]).toEqual([
    ['Quokka Window Co'],
    'quokka',
    'Window & Glazing',
  ]);
  // Neither is a trade or a place.
  expect((await find('q=quokka co')).understood).toMatchObject({ category: null, words: 'quokka co' });
});

test('a word that resembles a trade is not corrected if a listing has it', async () => {
  expect((await find('q=tyler')).understood.corrected).toBe('tiler');
  await given.listing({ title: 'Tyler and daughters', district: 901, category: 12 });
  const { understood } = await find('q=tyler');
  expect([understood.corrected, understood.words]).toEqual([null, 'tyler']);
});

test('a search with few results offers alternatives with their totals', async () => {
  await given.listing({ title: 'Pipes of Rotorua', district: 403, category: 6 });
  await given.listing({ title: 'Pipes of Tauranga', district: 404, category: 6 });
  const body = await find('category=plumbing&region=bay-of-plenty&district=whakatane');
  expect(body.totalListings).toBe(0);
  expect(alternativesOf(body)[0]).toMatchObject({ label: 'Plumbing in Bay of Plenty', total: 2 });
  const words = await find('q=unicorn plumber rotorua');
  expect(words.understood).toMatchObject({
    category: 'Plumbing',
    place: 'Rotorua, Bay of Plenty',
    words: '',
    widened: ['without “unicorn”'],
  });
  for (const { total, query } of [...alternativesOf(body), ...alternativesOf(words)]) {
    expect(total).toBeGreaterThan(0);
    expect([query, (await find(query)).totalListings]).toEqual([query, total]);
  }
});

test('filters without matches do not change the interpretation, and an alternative drops them', async () => {
  const { listing_number } = await given.listing({ title: 'Plumber Hamilton, the band', district: 901, category: 12 });
  await db
    .updateTable('listings')
    .set({ rating_counts: [0, 0, 0, 0, 9] })
    .where('listing_number', '=', listing_number)
    .execute();
  expect((await find('q=plumber hamilton&minRating=4.5&raw=1')).totalListings).toBe(1);
  const body = await find('q=plumber hamilton&minRating=4.5');
  expect(body.totalListings).toBe(0);
  expect(body.understood).toMatchObject({ category: 'Plumbing', place: 'Hamilton, Waikato' });
  expect(alternativesOf(body)).toContainEqual({
    label: 'Plumbing in Hamilton, without the filters',
    total: 1,
    query: 'category=plumbing&region=waikato&district=hamilton',
  });
});

test('several filters that leave nothing are kept, with what the search finds without each', async () => {
  const { listing_number } = await given.listing({ title: 'Roofs of Taupō', district: 306, category: 7 });
  await db.updateTable('listings').set({ insured: true }).where('listing_number', '=', listing_number).execute();
  const body = await find('category=roofing&where=Taupō&insured=1&photos=1&sort=rating');
  expect([body.totalListings, body.facets.insured]).toEqual([0, 0]);
  expect(alternativesOf(body)).toContainEqual({
    label: 'Roofing in Taupō, without “With photos”',
    total: 1,
    query: 'category=roofing&region=waikato&district=taupo&sort=rating&insured=1',
  });
  expect(alternativesOf(body).map(({ label }: { label: string }) => label)).not.toContain('Roofing in Taupō, without “Insured”');
  const [first] = alternativesOf(body);
  expect(titlesOf(await find(first?.query ?? ''))).toEqual(['Roofs of Taupō']);
});

test('the nearest first does not change the interpretation if no match has a base', async () => {
  const base = findLocalityBySlug(3, 'cambridge')?.code ?? 0;
  await given.listing({ title: 'Thatcher Otorohanga, the band', district: 901, category: 12, base });
  await given.listing({ title: 'Pipes without a base', district: 304, category: 6 });
  const [recommended, nearest] = [await find('q=plumber otorohanga'), await find('q=plumber otorohanga&sort=nearest')];
  expect(titlesOf(recommended)).toContain('Pipes without a base');
  expect(nearest.totalListings).toBe(0);
  expect(nearest.understood).toEqual(recommended.understood);
});

test('offers other places of the same name', async () => {
  await given.listing({ title: 'Taps of Brisbane', district: 1901, category: 6 });
  const { understood, alternatives } = await find('q=plumber hamilton');
  expect(understood.place).toBe('Hamilton, Waikato');
  expect(alternatives).toContainEqual({
    label: 'Hamilton, Queensland',
    total: 1,
    query: 'category=plumbing&near=Hamilton%2C+Queensland',
    isNamesake: true,
  });
  // As far around it as around the first, whether typed or chosen.
  for (const search of ['q=plumber hamilton', 'category=plumbing&where=Hamilton']) {
    const { alternatives: others } = await find(`${search}&km=50`);
    const there = others.find(({ isNamesake }: { isNamesake?: boolean }) => isNamesake);
    expect([search, there?.query]).toEqual([search, 'category=plumbing&near=Hamilton%2C+Queensland&km=50']);
  }
});

test('the search by title falls back to the public interpretation when no listing has the words', async () => {
  const byWords = (await asVisitor.get('/listing/all?title=aroha')).body;
  expect([titlesOf(byWords), byWords.understood]).toEqual([['Taps mended by Aroha'], undefined]);
  const read = (await asVisitor.get('/listing/all?title=electrician brisbane')).body;
  expect(titlesOf(read)).toEqual(['Switchboards by Tane']);
  expect(read.understood).toMatchObject({ category: 'Electrical & Gas', subCategory: 'Electricians', place: 'Brisbane, Queensland' });
  expect((await asVisitor.get('/listing/all?title=electrician brisbane&region=waikato')).body).toMatchObject({ totalListings: 0 });
  expect((await asVisitor.get('/listing/all?title=electrician&page=2')).body).toMatchObject({ totalListings: 1, listings: [] });
});

test('the text narrows the chosen filters and never replaces them', async () => {
  expect((await find('q=plumber hamilton&where=Auckland')).understood).toMatchObject({
    category: 'Plumbing',
    place: 'Auckland',
    words: 'hamilton',
  });
  expect((await find('q=plumber hamilton&where=Waikato')).understood).toMatchObject({ place: 'Hamilton, Waikato', words: '' });
  expect((await find('q=plumber&category=painting')).understood).toMatchObject({ category: 'Painting', words: 'plumber' });
  await given.listing({ title: 'Drains', district: 901, category: 6, subCategory: 603 });
  expect((await find('q=blocked drain&category=plumbing&raw=1')).understood).toMatchObject({ category: 'Plumbing', subCategory: null });
});

test('punctuation finds nothing, an empty text everything', async () => {
  expect((await find('q=!!!')).totalListings).toBe(0);
  expect((await find('')).totalListings).toBe((await asVisitor.get('/listing/all')).body.totalListings);
});

test('a town finds listings within a radius and those that travel there, with distances', async () => {
  const base = (region: number, slug: string) => findLocalityBySlug(region, slug)?.code ?? 0;
  await given.listing({ title: 'Taps of Cambridge', district: 309, category: 6, base: base(3, 'cambridge') });
  await given.listing({ title: 'Taps of Leamington', district: 309, category: 6, base: base(3, 'leamington'), plan: 'premium' });
  await given.listing({ title: 'Taps on wheels', district: 306, category: 6, base: base(3, 'taupo'), radiusKm: 120 });
  await given.listing({ title: 'Taps by appointment', district: 201, category: 6, serviceDistricts: [201, 309] });
  await given.listing({ title: 'Taps that stay away', district: 306, category: 6, base: base(3, 'taupo'), radiusKm: 20 });
  const body = await find('q=plumber cambridge');
  expect(body.understood).toMatchObject({
    category: 'Plumbing',
    place: 'Cambridge, Waikato',
    area: { district: 'waipa', town: 'cambridge' },
    near: { label: 'Cambridge, Waikato', km: 25 },
    widened: [],
  });
  const found = body.listings.map(({ serviceTitle, distanceKm }: { serviceTitle: string; distanceKm?: number }) => [
    serviceTitle,
    distanceKm,
  ]);
  expect(found.slice(0, 2)).toEqual([
    ['Taps of Leamington', 2.6],
    ['Taps of Cambridge', 0],
  ]);
  expect(found).toContainEqual(['Taps on wheels', expect.any(Number)]);
  expect(found).toContainEqual(['Taps by appointment', undefined]);
  expect(titlesOf(body)).not.toContain('Taps that stay away');
  for (const same of ['category=plumbing&where=Cambridge', 'category=plumbing&near=Cambridge, Waikato'])
    // Who travels there from far away has its own place in the list of a typed trade.
    expect(titlesOf(await find(same)).toSorted()).toEqual(titlesOf(body).toSorted());
  const nearest = await find('q=plumber cambridge&sort=nearest');
  expect(titlesOf(nearest).slice(0, 2)).toEqual(['Taps of Cambridge', 'Taps of Leamington']);
  expect(nearest.listings.slice(0, 2).map((one: { distanceKm: number }) => one.distanceKm)).toEqual([0, 2.6]);
});

test('finds a typed place in the market of the host, with the chosen radius', async () => {
  for (const market of ['NZ', 'AU'] as const) {
    const [{ districtCode: district = 0, localityCode: base = 0 } = {}] = listPlacesByName('Newtown', market);
    await given.listing({ title: `Taps of Newtown ${market}`, district, category: 6, base });
  }
  const at = async (host: string, query: string) => {
    const { body } = await callers.onHost(host).get(`/search?category=plumbing&where=Newtown${query}`);
    return [titlesOf(body).includes('Taps of Newtown NZ'), titlesOf(body).includes('Taps of Newtown AU'), body.understood.near.km];
  };
  expect(await at('nz.localhost:3000', '')).toEqual([true, false, 25]);
  expect(await at('au.localhost:3000', '')).toEqual([false, true, 25]);
  expect(await at('nz.localhost:3000', '&km=5')).toEqual([true, false, 5]);
});

test('the country says which of two places of one name is meant, and never drops a typed place', async () => {
  const placeOf = async (query: string) => {
    const { place, placeCountries } = (await find(query)).understood;
    return [place, placeCountries.toSorted().join(' ')];
  };
  for (const typed of ['q=plumber newtown', 'category=plumbing&where=Newtown']) {
    expect(await placeOf(`${typed}&country=NZ`)).toEqual(['Newtown, Wellington', 'AU NZ']);
    expect(await placeOf(`${typed}&country=AU`)).toEqual(['Newtown, New South Wales', 'AU NZ']);
  }
  for (const typed of ['q=plumber parramatta', 'category=plumbing&where=Parramatta'])
    expect(await placeOf(`${typed}&country=NZ`)).toEqual(['Parramatta, New South Wales', 'AU']);
  expect(await placeOf('category=plumbing&country=NZ')).toEqual(['New Zealand', '']);
});

test.each([
  ['Ōtepoti', 'Dunedin, Otago'],
  ['tamaki makaurau', 'Auckland'],
  ['Te Whanganui-a-Tara', 'Wellington'],
  ['naarm', 'Melbourne, Victoria'],
])('finds the plumbers of %s in %s', async (typed, place) => {
  for (const query of [`q=plumber in ${typed}`, `q=plumber ${typed}`, `category=plumbing&where=${typed}`])
    expect([query, (await find(query)).understood.place]).toEqual([query, place]);
});

test('words of least meaning are no filter and never empty a page', async () => {
  expect((await find('q=aroha not')).totalListings).toBe(1);
  expect((await find('q=not')).totalListings).toBeGreaterThan(1);
  const { understood } = await find('q=not a plumber who makes mess in hamilton');
  expect([understood.category, understood.place, understood.widened]).toEqual(['Plumbing', 'Hamilton, Waikato', ['without “mess”']]);
});

test.each([
  ['sparky in Ponsonby', 'Electrical & Gas', 'Ponsonby, Auckland'],
  ['house painter near Newtown', 'Painting', 'Newtown, Wellington'],
  ['plumber Karori', 'Plumbing', 'Karori, Wellington'],
])('“%s” is understood with its suburb', async (q, category, place) => {
  const { body } = await callers.onHost('nz.localhost:3000').get(`/search?q=${encodeURIComponent(q)}`);
  const [step] = body.understood.widened;
  expect(body.understood.category).toBe(category);
  // Widened or not, the suburb is named.
  expect(step ?? body.understood.place).toContain(place.split(',')[0]);
});

test('a number too large for any listing is a number all the same', async () => {
  for (const q of ['#99999999999', '99999999999', '#2147483648']) {
    const body = await find(`q=${encodeURIComponent(q)}`);
    expect([q, body.totalListings, body.understood.words]).toEqual([q, 0, '#2147483647']);
  }
});

test('digits after a # or other than a postcode are a listing number', async () => {
  const { listing_number: number } = await given.listing({ title: 'Numbered', district: 901, category: 12 });
  for (const q of [`#${number}`, `# ${number}`, `#0${number}`, String(number)]) {
    const body = await find(`q=${encodeURIComponent(q)}`);
    expect([q, titlesOf(body), body.understood.words]).toEqual([q, ['Numbered'], `#${number}`]);
  }
});

test('a sentence is classified, with other guesses as alternatives', async () => {
  const body = await find(`q=${encodeURIComponent('the window in the lounge is broken and will not close')}`);
  expect(body.understood).toMatchObject({ category: 'Window & Glazing', subCategory: 'Glass repairs', words: '' });
  expect(body.understood.guess.alternatives.length).toBeGreaterThan(0);
  for (const { category, query } of body.understood.guess.alternatives) expect((await find(query)).understood.category).toBe(category);
  expect((await find('q=plumber hamilton')).understood.guess).toBeNull();
});

test('namesakes come before other alternatives, one per region', async () => {
  for (const label of ['Newtown, Wellington', 'Newtown, New South Wales']) {
    const [place] = listPlacesByName(label, null);
    await given.listing({ title: `Painted in ${label}`, district: place?.districtCode ?? 0, category: 8, base: place?.localityCode ?? 0 });
  }
  const { understood, alternatives } = await find('q=house painter near newtown');
  expect(understood.place).toBe('Newtown, New South Wales');
  expect(alternatives[0]).toEqual({
    label: 'Newtown, Wellington',
    total: 1,
    query: 'category=painting&near=Newtown%2C+Wellington',
    isNamesake: true,
  });
  expect(titlesOf(await find(alternatives[0].query))).toEqual(['Painted in Newtown, Wellington']);
});

test('searches of the table find their category only', async () => {
  const meant = searches
    .filter(({ q, category, place, words, market }) => category && place.includes(',') && !words && market && q !== 'plumber paramatta')
    .filter((_, index) => index % 5 === 0);
  expect(meant.length).toBeGreaterThan(10);
  for (const [index, { q, market, category, subCategory, place }] of meant.entries()) {
    const group = findCategory(category);
    const [named] = listPlacesByName(place, market);
    const code = group?.code ?? 0;
    const sub = subCategory ? findSubCategories(subCategory, group)[0]?.code : group?.subCategories[0]?.code;
    await given.listing({ title: `Made ${index}`, district: named?.districtCode ?? 0, category: code, subCategory: sub ?? null });
    const { listings, understood } = await find(`q=${encodeURIComponent(q)}`);
    expect([q, titlesOf({ listings })[0], understood.category]).toEqual([q, `Made ${index}`, category]);
    for (const listing of listings) expect([q, listing.serviceCategory]).toEqual([q, category]);
  }
});

test('the searches of visitors and members find something in the same cases', async () => {
  for (const { q } of searches.filter((_, index) => index % 6 === 0)) {
    const text = encodeURIComponent(q);
    const [visitor, member] = [
      (await find(`q=${text}`)).totalListings,
      (await asVisitor.get(`/listing/all?title=${text}`)).body.totalListings,
    ];
    expect([q, visitor > 0, member > 0]).toEqual([q, visitor > 0, visitor > 0]);
  }
});

test('offers listings further away if none is near', async () => {
  await given.listing({ title: 'Roofs of Gore', district: 1601, category: 7, base: findLocalityBySlug(16, 'gore')?.code ?? 0 });
  const body = await find('q=roofer&near=Invercargill&km=20');
  expect(body.totalListings).toBe(0);
  const [further] = alternativesOf(body);
  expect(further).toEqual({
    label: 'Roofing within 100 km of Invercargill',
    total: 1,
    query: 'category=roofing&near=Invercargill%2C+Southland&km=100',
  });
  expect(titlesOf(await find(further?.query ?? ''))).toEqual(['Roofs of Gore']);
});

test('a published or edited listing is found at once, by new words and their typing errors too', async () => {
  const { seller, listing } = await given.published('basic', [], { serviceTitle: 'Quokkarium keepers' });
  for (const q of ['quokkarium', 'quokkar', 'quokarium', 'quokkraium'])
    expect([q, titlesOf(await find(`q=${q}`))]).toEqual([q, ['Quokkarium keepers']]);
  const { submissionId: _, servicePlan: __, ...form } = given.listingForm('basic', { serviceTitle: 'Zirconium polishers' });
  const edited = await callers.as(seller).putForm(`/listing/${listing._id}`, form);
  expect(edited.status).toBe(200);
  expect(titlesOf(await find('q=zircomium'))).toEqual(['Zirconium polishers']);
  expect((await find('q=quokkarium&raw=1')).totalListings).toBe(0);
});

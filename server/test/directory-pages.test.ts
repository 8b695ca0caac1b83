import { expect, test } from 'vitest';
import { testApp } from '@handwise/sandbox/testing/app';
import { testSite } from '@handwise/sandbox/testing/site';

const { app, given } = await testApp({}, await testSite());

// Before the first page, because counts are kept for a minute.
const taupo = 306;
const waipa = 309;
const dunedin = 1503;
const seller = await given.member();
const list = (category: number, district: number, title?: string) =>
  given.listing({ sellerId: seller._id, category, district, ...(title && { title }) });
const roofing = '/services/roofing';
await list(7, taupo);
const concrete = '/services/concrete-driveways';
for (let count = 0; count <= 20; count += 1) await list(10, taupo, `Paths ${count}`);
const handyman = '/services/handyman';
for (const district of [waipa, dunedin]) await list(12, district);
await list(9, waipa);
const [one, two] = ['/services/cleaning', '/services/home-improvement'];
for (const category of [1, 2, 2]) await list(category, taupo);

const textOf = (html: string) =>
  html
    .replace(/<script[\s\S]*?<\/script>/g, '')
    .replace(/<!-- -->/g, '')
    .replace(/<[^>]*>/g, ' ')
    .replaceAll('&amp;', '&')
    .replace(/\s+/g, ' ');

type Data = { '@type': string; itemListElement: { position: number; name: string; url?: string; item?: string }[]; numberOfItems?: number };

/** A visitor's page: its text, what search engines are told, and its lists of links by their headings' ids. */
async function open(url: string) {
  const { body, statusCode } = await app.inject({ url });
  expect([url, statusCode]).toEqual([url, 200]);
  const head = body.slice(0, body.indexOf('</head>'));
  const linked = (rel: string) => new RegExp(`<link rel="${rel}" href="[^"]*?(/services[^"]*)"`).exec(head)?.[1];
  const [, json = 'the page has no structured data'] = /<script type="application\/ld\+json"[^>]*>(.*?)<\/script>/s.exec(body) ?? [];
  const data = (JSON.parse(json) as { '@graph': Data[] })['@graph'];
  const hrefsOf = (html: string) => [...html.matchAll(/<a [^>]*?href="([^"]*)"/g)].map(([, href = '']) => href);
  return {
    text: textOf(body),
    title: /<title>(.*?)<\/title>/.exec(head)?.[1],
    isIndexed: !head.includes('noindex'),
    canonical: linked('canonical'),
    next: linked('next'),
    previous: linked('prev'),
    trail: data.find((one) => one['@type'] === 'BreadcrumbList')?.itemListElement.map(({ name }) => name),
    list: data.find((one) => one['@type'] === 'ItemList'),
    listings: [...new Set(hrefsOf(body).filter((href) => href.startsWith('/listing/')))],
    main: hrefsOf(body.slice(body.indexOf('<main'), body.indexOf('</main>'))),
    links: (id: string) => hrefsOf(new RegExp(`<nav[^>]*aria-labelledby="${id}".*?</nav>`, 's').exec(body)?.[0] ?? ''),
  };
}

test('an empty list is not indexed, says so and leads to the next larger one', async () => {
  const place = await open(`${roofing}/otago/clutha`);
  expect(place.text).toContain('No listings found No business offers this here yet.');
  expect(place.text).toContain('See Roofing in Otago');
  expect(place.main).toContain(`${roofing}/otago`);
  const region = await open(`${roofing}/otago`);
  expect(region.text).toMatch(/No business offers this here yet\. These regions have some\. *See Roofing everywhere/);
  expect(region.main).toContain(roofing);
  expect([region.list, region.links('regions')]).toEqual([undefined, [`${roofing}/waikato`]]);
  const everywhere = await open('/services/painting');
  expect(everywhere.text).toMatch(/No business offers this here yet\. *See all services/);
  expect(everywhere.main).toContain('/services');
  for (const { isIndexed, text } of [place, region, everywhere]) {
    expect(isIndexed).toBe(false);
    expect(text).not.toMatch(/Where they are|paid placements and come first|Featured first|up to three of them/);
  }
});

test('each page of a list is indexed under its own address, names its neighbours and lists what it shows', async () => {
  const [first, second] = [await open(concrete), await open(`${concrete}?page=2`)];
  expect(first).toMatchObject({ canonical: concrete, next: `${concrete}?page=2`, previous: undefined, isIndexed: true });
  expect(second).toMatchObject({ canonical: `${concrete}?page=2`, next: undefined, previous: concrete, isIndexed: true });
  expect(second.title).toContain('Concrete & Driveways in New Zealand and Australia, page 2 of 2'.replace('&', '&amp;'));
  expect([first.title, first.text]).not.toContainEqual(expect.stringMatching(/[Pp]age 1 of/));
  expect(second.text).toContain('Page 2 of 2');
  expect([first.listings.length, second.listings.length]).toEqual([20, 1]);
  for (const { list, listings } of [first, second]) {
    expect(list?.numberOfItems).toBe(listings.length);
    expect(list?.itemListElement.map(({ position, url = '' }) => [position, new URL(url).pathname])).toEqual(
      listings.map((href, index) => [index + 1, href]),
    );
  }
  expect(second.list?.itemListElement[0]?.name).toBe('Paths 0');
  const best = await open(`${concrete}?sort=best`);
  expect([best.isIndexed, best.next, best.text.includes('whatever their plan')]).toEqual([false, `${concrete}?page=2&amp;sort=best`, true]);
  expect(first.text).toContain('are paid placements and come first; within each kind, the newest come first.');
});

test('a list is linked with its region, its towns, other regions and other services there, and only those that have listings', async () => {
  const country = await open(handyman);
  expect(country.trail).toEqual(['Home', 'Services', 'Handyman']);
  expect(country.links('regions').toSorted()).toEqual([`${handyman}/otago`, `${handyman}/waikato`]);
  expect(country.links('categories')).toContain('/services/window-glazing');
  expect(country.text).toContain('Handyman by region');
  const region = await open(`${handyman}/waikato`);
  expect(region.trail).toEqual(['Home', 'Services', 'Handyman', 'Waikato']);
  expect(region.links('regions')).toEqual([`${handyman}/otago`]);
  expect(region.links('categories')).toContain('/services/window-glazing/waikato');
  expect(region.links('towns')).toContain(`${handyman}/waikato/waipa`);
  expect(region.text).toContain('Handyman in other regions');
  expect(region.text).toContain('Handyman by town and district of Waikato');
  const town = await open(`${handyman}/waikato/cambridge`);
  expect(town.trail).toEqual(['Home', 'Services', 'Handyman', 'Waikato', 'Waipā', 'Cambridge']);
  expect(town.text).toContain('Handyman near Cambridge');
  expect(town.text).toMatch(/Handyman elsewhere, nearest to Cambridge first *Dunedin, \d+.km/);
  expect(town.links('nearby')).toEqual([`${handyman}/otago/dunedin`]);
  expect((await open(`${handyman}/waikato/waipa`)).trail).toEqual(['Home', 'Services', 'Handyman', 'Waikato', 'Waipā']);
});

test('a list of one has no order, map or question to several; a list of two has', async () => {
  const parted = /Featured first|Where they are|up to three of them answer/g;
  expect((await open(one)).text.match(parted)).toBeNull();
  expect((await open(two)).text.match(parted)).toEqual(['Featured first', 'up to three of them answer', 'Where they are']);
});

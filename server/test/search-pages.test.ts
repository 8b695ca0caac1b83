import { expect, test } from 'vitest';
import { testApp } from '@handwise/sandbox/testing/app';
import { testSite } from '@handwise/sandbox/testing/site';

const { app, db, given, parts } = await testApp({}, await testSite());

await given.listing({ title: 'Taps mended by Aroha', district: 301, category: 6, subCategory: 601 });
await given.listing({ title: 'Switchboards by Tane', district: 1901, category: 5, subCategory: 501 });

/** A visitor's page. */
async function open(url: string, headers: Record<string, string> = {}) {
  await parts.context.events.catchUp();
  const { statusCode, headers: answered, body } = await app.inject({ url, headers });
  const document = body.replace(/<script[\s\S]*?<\/script>/g, '').replaceAll('&amp;', '&');
  const text = document
    .replace(/<!-- -->/g, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ');
  return { status: statusCode, to: answered['location'], isCached: answered['x-cache'] === 'hit', document, text };
}
const hrefOf = (document: string, words: string) =>
  [...document.matchAll(/<a [^>]*href="([^"]*)"[^>]*>(.*?)<\/a>/gs)].find(([, , inner = '']) =>
    inner.replace(/<[^>]*>/g, '').includes(words),
  )?.[1];

test.each([
  ['/search?q=&where=&utm_source=x', 'All services'],
  ['/search?category=plumbing&where=hamilton', 'Plumbing in Hamilton, Waikato'],
  ['/search?q=aroha&where=', '“aroha”'],
  // What names a trade is read as one.
  ['/search?q=switchboards&where=', 'Electrical & Gas: Electricians'],
])('%s is a page without scripts, headed “%s”', async (url, heading) => {
  const { status, text } = await open(url);
  expect(status).toBe(200);
  expect(text).toContain(` ${heading} `);
});

test('answers 404 for an unknown category and links to the search; names and ignores an unknown place', async () => {
  for (const [url, message, rest] of [
    ['/search?category=wizardry&q=aroha', 'no category “wizardry”', '/search?q=aroha'],
    ['/search?q=aroha&page=7', 'no page “7”', '/search?q=aroha'],
    ['/search?region=narnia', 'no region “narnia”', undefined],
  ] as const) {
    const { status, text, document } = await open(url);
    expect([url, status, hrefOf(document, 'Search without it'), hrefOf(document, 'Search all services')]).toEqual([
      url,
      404,
      rest,
      '/search',
    ]);
    expect(text).toContain(message);
  }
  const { status, text } = await open('/search?q=aroha&where=Narnia');
  expect(status).toBe(200);
  expect(text).toContain('We don’t know a place called “Narnia”');
  expect(text).toContain('Taps mended by Aroha');
});

test('each recognized part of a search has a link that removes it', async () => {
  const { document } = await open('/search?category=plumbing&where=hamilton&q=aroha');
  expect(hrefOf(document, 'Remove category')).toBe('/search?q=aroha&region=waikato&district=hamilton');
  expect(hrefOf(document, 'Remove place')).toBe('/search?q=aroha&category=plumbing');
  expect(hrefOf(document, 'Remove words')).toBe('/search?category=plumbing&region=waikato&district=hamilton');
});

test('caches pages of chosen filters until a listing changes, but not those with typed words', async () => {
  await open('/search?category=plumbing&region=waikato');
  expect((await open('/search?region=waikato&category=plumbing&fbclid=1')).isCached).toBe(true);
  await given.listing({ title: 'Drains by Hemi', district: 301, category: 6, subCategory: 605 });
  const rebuilt = await open('/search?category=plumbing&region=waikato');
  expect([rebuilt.isCached, rebuilt.text.includes('Drains by Hemi')]).toEqual([false, true]);
  for (const url of ['/search?q=aroha', '/search?category=plumbing&where=hamilton', '/search?category=plumbing&q=7']) {
    await open(url);
    expect([url, (await open(url)).isCached]).toEqual([url, false]);
  }
});

test('the filter form shows what each choice would find, none of them missing', async () => {
  const { listing_number } = await given.listing({ title: 'Lofty roofs by Mere', district: 1401, category: 7, subCategory: 701 });
  await given.listing({ title: 'Lofty roofs by Wiremu', district: 1401, category: 7, subCategory: 701 });
  const mere = db.updateTable('listings').where('listing_number', '=', listing_number);
  await mere.set({ price_from_minor: 8000, price_unit: 'hour', rating_counts: [0, 0, 0, 1, 1] }).execute();
  const { document, text } = await open('/search?category=roofing&q=lofty&sort=newest');
  expect(text).toContain(' 2 of 2 Active Listings ');
  expect(text).toContain(
    'Rating Any rating 3 and up (1) 3.5 and up (1) 4 and up (1) 4.5 and up (1) Price from Any price up to $50 (0) up to $100 (1)',
  );
  for (const name of ['Verified', 'With photos', 'Answers within a day']) expect(text).toContain(` ${name} (0) `);
  // The form keeps the search but not the page.
  const [form = ''] = /<form (.*?)<\/form>/s.exec(document.slice(document.indexOf('id="find-filters"'))) ?? [];
  const hidden = [...form.matchAll(/<input type="hidden" name="(\w+)" value="(\w+)"/g)].map(([, name, value]) => [name, value]);
  expect(hidden).toEqual([
    ['q', 'lofty'],
    ['category', 'roofing'],
  ]);
  expect(form).toMatch(/<option value="newest" selected=""/);

  const chosen = await open('/search?category=roofing&minRating=4.5&verified=1');
  expect(chosen.text).toContain('Verified (0)');
  expect(hrefOf(chosen.document, 'Clear all filters')).toBe('/search');
});

test('each card explains its position, and paid placements are labelled', async () => {
  await given.listing({ title: 'Fences by Ana', district: 1401, category: 10, subCategory: 1003, plan: 'featured' });
  const { text } = await open('/search?category=concrete-driveways&sort=newest');
  expect(text).toContain('Featured : what does this mean?');
  expect(text).toContain('It is Featured: the business pays for a plan that comes before others that fit as well. The list is in order of');
});

test('finds a listing by its number, with or without a #', async () => {
  const { listing_number: number } = await given.listing({ title: 'Gutters by Pania' });
  for (const typed of [`%23${number}`, String(number)]) {
    const { text } = await open(`/search?q=${typed}`);
    expect(text).toContain(` Listing #${number} 1 of 1 Active Listings `);
    expect(text).toContain('Gutters by Pania');
  }
});

test('redirects old links to a town or to sellers who travel there to the search near it', async () => {
  const { status, to } = await open('/search?category=plumbing&region=waikato&town=cambridge&serves=1');
  expect([status, to]).toEqual([301, '/search?category=plumbing&near=cambridge%2C+waikato']);
  expect((await open('/search?region=waikato&serves=1')).to).toBe('/search?region=waikato');
});

test('shows a typed group and place as chips with filters', async () => {
  const { status, text } = await open('/search?q=plumber&where=Hamilton');
  expect(status).toBe(200);
  expect(text).toContain(' Plumbing in Hamilton, Waikato ');
  expect(text).toContain('Remove category Plumbing');
});

test('search results are noindex, the empty search page is not', async () => {
  expect((await open('/search?q=aroha')).document).toContain('<meta name="robots" content="noindex"/>');
  const bare = (await open('/search')).document;
  expect(bare).not.toContain('noindex');
  expect(bare).toMatch(/<link rel="canonical" href="[^"]*\/search"\/>/);
});

test('the search forms of the landing page and the services page work without scripts', async () => {
  for (const url of ['/', '/services', '/search', '/services/plumbing', '/privacy']) {
    const { document } = await open(url);
    const forms = [...document.matchAll(/<form [^>]*action="\/search"[^>]*>(.*?)<\/form>/gs)];
    expect([url, forms.length]).toEqual([url, 1]);
    expect(forms[0]?.[0]).toContain('method="get"');
    for (const name of ['q', 'where']) expect([url, forms[0]?.[1]?.includes(` name="${name}"`)]).toEqual([url, true]);
  }
  expect((await open('/auth/login')).document).not.toContain('action="/search"');
});

test('the page to describe a job is cached for all, says that it needs a script, and is linked with known values', async () => {
  const page = await open('/get-quotes');
  expect([page.status, page.text.includes('This form needs JavaScript.'), page.text.includes('What do you need done?')]).toEqual([
    200,
    true,
    true,
  ]);
  // The browser reads the parameters; the page is the same.
  expect((await open('/get-quotes?category=plumbing&send')).isCached).toBe(true);
  await given.listing({ title: 'Taps by Rangi', district: 301, category: 6, subCategory: 601 });
  const { document } = await open('/search?category=plumbing&where=hamilton');
  expect(hrefOf(document, 'Get quotes')).toBe('/get-quotes?category=Plumbing&place=Hamilton%2C+Waikato');
  expect(hrefOf((await open('/services/plumbing/waikato')).document, 'Get quotes')).toBe('/get-quotes?category=plumbing&place=Waikato');
  expect(hrefOf((await open('/')).document, 'Get quotes')).toBe('/get-quotes');
  const { id } = await given.listing({ title: 'Drains by Rangi' });
  expect(hrefOf((await open(`/listing/${id}`)).document, 'Get quotes')).toBe(`/get-quotes?listing=${id}`);
});

test('links to other places of the same name come before the results', async () => {
  await given.listing({ title: 'Taps of Brisbane', district: 1901, category: 6, subCategory: 601 });
  const { document, text } = await open('/search?q=plumber hamilton');
  expect(text).toContain(' Plumbing in Hamilton, Waikato ');
  expect(hrefOf(document, 'Hamilton, Queensland (1)')).toBe('/search?category=plumbing&near=Hamilton%2C+Queensland');
  expect(document.indexOf('Did you mean:')).toBeLessThan(document.indexOf('<article'));
  expect(text.match(/Hamilton, Queensland \(/g)).toHaveLength(1);
});

import { once } from 'node:events';
import { Agent, type IncomingMessage, get } from 'node:http';
import { text } from 'node:stream/consumers';
import { categories } from '@handwise/contract/listings/categories';
import { regions } from '@handwise/contract/places/regions';
import { median, percentile, printBars, printTable, timed } from './load.ts';
import type { Stage } from './stage.ts';

type Search = Record<string, string>;

// Fixed places, groups and filters instead of random ones: the same requests in every run.
const everyNth = <T>(items: readonly T[], n: number): T[] => items.filter((_, index) => index % n === 0);
const groups: Search[] = categories.map((category) => ({ category: category.slug }));
const someRegions: Search[] = everyNth(regions, 3).map((region) => ({ region: region.slug }));
const districts = everyNth(regions, 2).map((region) => ({ region: region.slug, district: region.districts[0]?.slug ?? '' }));
const countries: Search[] = [{ country: 'NZ' }, { country: 'AU' }];
const single = [{}, { minRating: '4.5' }, { maxPrice: '100' }, { maxPrice: '87' }, { verified: '1' }];
const filters: Search[] = [...single, { verified: '1', minRating: '4.5', photos: '1' }];
// Places with many listings and with few: Sydney, Melbourne, Auckland, Hamilton, Gore, Chatham Islands.
const points = ['-33.87,151.21', '-37.81,144.96', '-36.85,174.76', '-37.79,175.28', '-46.10,168.94', '-43.95,-176.56'];
const places: Search[] = points.map((near) => ({ near }));

/** The searches together with the others in turn. */
const pair = (searches: readonly Search[], others: readonly Search[]): Search[] =>
  searches.map((search, index) => ({ ...search, ...others[index % others.length] }));
const combine = (searches: readonly Search[], others: readonly Search[]): Search[] =>
  searches.flatMap((search) => others.map((other) => ({ ...search, ...other })));
const toSearches = (texts: readonly string[]): Search[] => texts.map((q) => ({ q, raw: '1' }));

/** How long searches for any text take. */
export async function benchTexts(stage: Stage): Promise<void> {
  const { rows } = await stage.client.query<{ word: string }>(
    `select word from ts_stat('select search_document from listings where status = ''active''')
     where word ~ '^[a-z]+$' and length(word) > 3 order by ndoc desc, word limit 400`,
  );
  const common = rows.map(({ word }) => word);
  const top = common.slice(0, 20);
  const searches = toSearches(top);
  await timeSearches(stage, 'Any text', {
    'a part of words': toSearches(['ing', 'plu', 'ren', 'wind', 'serv', 'fri', 'har', 'ser', 'loc', 'pain', 'repa', 'buil']),
    'a common word': searches,
    'a middling word': toSearches(everyNth(common, 20)),
    'two words': toSearches(top.map((word, index) => `${word} ${common[index * 9 + 20] ?? ''}`)),
    'two common words': toSearches(top.map((word, index) => `${word} ${top[(index + 3) % top.length] ?? ''}`)),
    'many words': toSearches([top.join(' ').slice(0, 119), common.slice(50, 70).join(' ').slice(0, 119)]),
    'a quote': toSearches(['"free quotes"', '“house painting”', "'roof repairs'"]),
    'what all have': toSearches(['free quotes', 'quotes', 'free']),
    'a typing error': top.map((word) => ({ q: word.slice(0, 2) + (word[3] ?? '') + (word[2] ?? '') + word.slice(4) })),
    'in a region': pair(searches, someRegions),
    'in a country': pair(searches, countries),
    'in a group': pair(searches, groups),
    filtered: pair(searches, filters),
    'by rating or newest': pair(searches, [{ sort: 'rating' }, { sort: 'newest' }]),
    'near a place': pair(searches, places),
    'nothing found': toSearches(['qq xx zz', ...top.map((word) => `zz${word}xq`)]),
  });
}

/** How long each order takes with each filter in each kind of list. */
export async function benchOrders(stage: Stage): Promise<void> {
  const lists: Record<string, Search[]> = {
    everything: [{}],
    country: countries,
    group: groups,
    'region + group': pair(someRegions, groups),
    district: districts,
    'district + group': pair(districts, groups),
  };
  const orders: Search[] = [{}, { sort: 'rating' }, { sort: 'newest' }];
  const kinds = Object.entries(lists).flatMap(([list, searches]) =>
    orders.map((order) => [`${list}, ${order['sort'] ?? 'recommended'}`, combine(searches, combine(filters, [order]))] as const),
  );
  await timeSearches(stage, 'Orders and filters', Object.fromEntries(kinds));
}

/** How long searches by distance take. */
export async function benchNear(stage: Stage): Promise<void> {
  const few = groups.slice(0, 4);
  const verified = { verified: '1' };
  const others: Search[] = [{}, verified, { subCategory: 'Residential plumbing' }, { q: 'local', raw: '1' }];
  const searches = combine(places, [...few, ...pair(few, [verified]), ...others]);
  await timeSearches(stage, 'Searches by distance', {
    'within 5 km': combine(searches, [{ km: '5' }]),
    'within 25 km': combine(searches, [{ km: '25' }]),
    'within 100 km': combine(searches, [{ km: '100' }]),
    'nearest first': combine(searches, [{ sort: 'nearest' }]),
  });
}

/** How long suggestions take for the beginnings of real names, words and places. */
export async function benchSuggest(stage: Stage): Promise<void> {
  const { rows } = await stage.client.query<{ business: string; title: string }>(
    "select business_title as business, service_title as title from listings where status = 'active' order by md5(id::text) limit 150",
  );
  const begin = (texts: readonly string[], letters: number): Search[] => texts.map((text) => ({ q: text.slice(0, letters) }));
  const businesses = rows.map(({ business }) => business);
  const titles = rows.map(({ title }) => title);
  const towns = ['Auckland', 'Hamilton', 'Whangārei', 'Palmerston North', 'Brisbane', 'St Kilda', 'Mount Maunganui', 'Cambridge'];
  const kinds: Record<string, Search[]> = {
    'one letter': begin([...'abcdefghijklmnopqrstuvwxyz'], 1),
    'two letters': begin(businesses, 2),
    'business, 3 letters': begin(businesses, 3),
    'business, 6 letters': begin(businesses, 6),
    'business, whole': begin(businesses, 120),
    'title, 3 letters': begin(titles, 3),
    'title, 8 letters': begin(titles, 8),
    'title, whole': begin(titles, 120),
    'nothing begins like this': titles.map((_, index) => ({ q: `zzq${index}` })),
    '120 letters': titles.map((_, index) => ({ q: `${index} `.repeat(120).slice(0, 120) })),
    place: [2, 3, 5, 8].flatMap((letters) => towns.map((town) => ({ where: town.slice(0, letters) }))),
  };
  const table: [string, number, number, number, number][] = [];
  for (const [kind, searches] of Object.entries(kinds)) {
    const times: number[] = [];
    for (const search of searches) times.push((await timeRequest(stage, '/api/search/suggest', search)).ms);
    table.push([kind, times.length, median(times), percentile(times, 0.99), percentile(times, 1)]);
  }
  printTable(`Suggestions at ${stage.listings} listings, ${how}`, ['begins with', 'requests', 'p50', 'p99', 'worst'], table);
  printBars([{ what: 'p99 of the slowest kind, ms', measured: Math.max(...table.map(([, , , p99]) => p99)), atMost: 30 }]);
}

const how = 'one request at a time, nothing cached, ms';
// One connection and a client that does little, so that the server is what is measured.
const agent = new Agent({ keepAlive: true, maxSockets: 1 });

/** Milliseconds of one request without cached answers, up to its last byte, and the body. */
async function timeRequest({ product, dropCaches }: Stage, path: string, search: Search): Promise<{ ms: number; body: string }> {
  await dropCaches();
  const url = `${product}${path}?${new URLSearchParams(search).toString()}`;
  const [ms, { status, body }] = await timed(async () => {
    const [answer] = (await once(get(url, { agent }), 'response')) as [IncomingMessage];
    return { status: answer.statusCode, body: await text(answer) };
  });
  if (status !== 200) throw new Error(`${url} was answered with ${status} after ${ms.toFixed(0)} ms`);
  return { ms, body };
}

/** Times the first, the middle and the last page of each search, and prints them by kind against the bars of searches. */
async function timeSearches(stage: Stage, title: string, kinds: Record<string, readonly Search[]>): Promise<void> {
  const rows = [];
  const all = { 'first pages': [] as number[], 'later pages': [] as number[] };
  for (const [kind, searches] of Object.entries(kinds)) {
    const [first, later]: [number[], number[]] = [[], []];
    for (const search of searches) {
      // The unmeasured first request loads from disk what the others find in memory.
      const { body } = await timeRequest(stage, '/api/search', search);
      const { totalPages = 0 } = JSON.parse(body) as { totalPages?: number };
      first.push((await timeRequest(stage, '/api/search', search)).ms);
      for (const page of totalPages > 1 ? new Set([Math.ceil(totalPages / 2), totalPages]) : [])
        later.push((await timeRequest(stage, '/api/search', { ...search, page: String(page) })).ms);
    }
    all['first pages'].push(...first);
    all['later pages'].push(...later);
    const columns = [first, later].flatMap<string | number>((times) =>
      times.length > 0 ? [median(times), percentile(times, 1)] : ['–', '–'],
    );
    rows.push([kind, searches.length, ...columns]);
  }
  printTable(
    `${title} at ${stage.listings} listings, ${how}`,
    ['kind', 'searches', 'first page p50', 'worst', 'middle and last p50', 'worst'],
    rows,
  );
  const bars = stage.listings > 1_000_000 ? { p50: 60, p99: 700, worst: 700 } : { p50: 20, p99: 200, worst: 500 };
  printBars(
    Object.entries(all).flatMap(([pages, times]) => [
      { what: `${pages}, whole requests, p50 ms`, measured: median(times), atMost: bars.p50 },
      { what: `${pages}, p99 ms`, measured: percentile(times, 0.99), atMost: bars.p99 },
      { what: `${pages}, worst ms`, measured: percentile(times, 1), atMost: bars.worst },
    ]),
  );
}

import { median, percentile, printBars, printTable } from './load.ts';
import type { Stage } from './stage.ts';
import { timeRequest, worst } from './timed-search.ts';

const pathOf = (query: { q: string } | { where: string }) => `/api/search/suggest?${new URLSearchParams(query).toString()}`;

/** How long suggestions take for the beginnings of real names, words and places. */
export async function benchSuggest(stage: Stage): Promise<void> {
  const { rows } = await stage.client.query<{ business: string; title: string }>(
    "select business_title as business, service_title as title from listings where status = 'active' order by md5(id::text) limit 150",
  );
  const beginnings = (names: readonly string[], letters: number) => names.map((name) => pathOf({ q: name.slice(0, letters) }));
  const businesses = rows.map(({ business }) => business);
  const titles = rows.map(({ title }) => title);
  const places = ['Auckland', 'Hamilton', 'Whangārei', 'Palmerston North', 'Brisbane', 'St Kilda', 'Mount Maunganui', 'Cambridge'];
  const shapes = {
    'one letter': [...'abcdefghijklmnopqrstuvwxyz'].map((q) => pathOf({ q })),
    'two letters': beginnings(businesses, 2),
    'business, 3 letters': beginnings(businesses, 3),
    'business, 6 letters': beginnings(businesses, 6),
    'business, whole': businesses.map((q) => pathOf({ q })),
    'title, 3 letters': beginnings(titles, 3),
    'title, 8 letters': beginnings(titles, 8),
    'title, whole': titles.map((q) => pathOf({ q })),
    'nothing begins like this': titles.map((_, index) => pathOf({ q: `zzq${index}` })),
    '120 letters': rows.map((_, index) => pathOf({ q: `${index} `.repeat(120).slice(0, 120) })),
    place: places.flatMap((place) => [2, 3, 5, 8].map((letters) => pathOf({ where: place.slice(0, letters) }))),
  };
  const table: [string, number, number, number, number][] = [];
  for (const [shape, paths] of Object.entries(shapes)) {
    const times: number[] = [];
    for (const path of paths) times.push((await timeRequest(stage, path)).ms);
    table.push([shape, times.length, median(times), percentile(times, 0.99), worst(times)]);
  }
  printTable(
    `Suggestions at ${stage.listings} listings, one request at a time, nothing cached, ms`,
    ['begins with', 'requests', 'p50', 'p99', 'worst'],
    table,
  );
  printBars([{ what: 'p99 of the slowest kind, ms', measured: Math.max(...table.map(([, , , p99]) => p99)), atMost: 30 }]);
}

import { percentile, printBars, printTable } from './load.ts';
import type { Stage } from './stage.ts';
import { type Search, timedRequest } from './timed-search.ts';

const pathOf = (query: Search) => `/api/search/suggest?${new URLSearchParams(query).toString()}`;

/** How long suggestions take over the beginnings of real names, words and places, one request at a time and none remembered. */
export async function benchSuggest(stage: Stage) {
  const { rows } = await stage.client.query<{ business: string; title: string }>(
    "select business_title as business, service_title as title from listings where status = 'active' order by md5(id::text) limit 150",
  );
  const begun = (names: readonly string[], letters: number) => names.map((name) => pathOf({ q: name.slice(0, letters) }));
  const businesses = rows.map(({ business }) => business);
  const titles = rows.map(({ title }) => title);
  const places = ['Auckland', 'Hamilton', 'Whangārei', 'Palmerston North', 'Brisbane', 'St Kilda', 'Mount Maunganui', 'Cambridge'];
  const shapes = {
    'one letter': [...'abcdefghijklmnopqrstuvwxyz'].map((q) => pathOf({ q })),
    'two letters': begun(businesses, 2),
    'business, 3 letters': begun(businesses, 3),
    'business, 6 letters': begun(businesses, 6),
    'business, whole': businesses.map((q) => pathOf({ q })),
    'title, 3 letters': begun(titles, 3),
    'title, 8 letters': begun(titles, 8),
    'title, whole': titles.map((q) => pathOf({ q })),
    'nothing begins so': titles.map((_, index) => pathOf({ q: `zzq${index}` })),
    '120 letters': rows.map((_, index) => pathOf({ q: `${index} `.repeat(120).slice(0, 120) })),
    place: places.flatMap((place) => [2, 3, 5, 8].map((letters) => pathOf({ where: place.slice(0, letters) }))),
  };
  const times = [];
  const worst: number[] = [];
  for (const [shape, paths] of Object.entries(shapes)) {
    const taken: number[] = [];
    for (const path of paths) {
      taken.push((await timedRequest(stage, path)).taken);
    }
    worst.push(percentile(taken, 0.99));
    times.push([shape, taken.length, percentile(taken, 0.5), percentile(taken, 0.99), Math.max(...taken)]);
  }
  printTable(
    `Suggestions at ${stage.listings} listings, one request at a time, nothing remembered, ms`,
    ['begun with', 'requests', 'p50', 'p99', 'worst'],
    times,
  );
  printBars([{ what: 'p99 of the slowest kind, ms', measured: Math.max(...worst), atMost: 20 }]);
}

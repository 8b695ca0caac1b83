import { categories } from '@handwise/contract/listings/categories';
import { regions } from '@handwise/contract/places/regions';
import { median, printBars } from './load.ts';
import type { Stage } from './stage.ts';
import { type Search, timeGroups, timeRequest } from './timed-search.ts';

const letters = [...'abcdefghijklmnopqrstuvwxyz0123456789'];
const pairs = ['re', 'in', 'ma', 'ca', 'st', 'pl', 'ho', 'ta', 'wa', 'co', 'ha', 'te', 'fr', 'se', 'el', 'ga'];
const parts = ['ing', 'plu', 'ren', 'wind', 'serv', 'fri', 'har', 'ser', 'loc', 'pain', 'repa', 'buil'];
const sentence =
  'we are a friendly local team and we do free quotes for all kinds of house painting roof repairs window cleaning and plumbing';

// Fixed places, groups and filters instead of random ones: the same requests in every run.
const places: Search[] = regions.filter((_, index) => index % 4 === 0).map((region) => ({ region: region.slug }));
const groups: Search[] = categories.slice(0, 6).map((category) => ({ category: category.slug }));
const filters: Search[] = [
  { minRating: '4.5' },
  { verified: '1' },
  { maxPrice: '100' },
  { maxPrice: '87' },
  { verified: '1', photos: '1' },
];
const orders: Search[] = [{ sort: 'rating' }, { sort: 'newest' }];

/** How long searches for any text take. */
export async function benchTexts(stage: Stage): Promise<void> {
  const { rows } = await stage.client.query<{ word: string }>(
    `select word from ts_stat('select search_document from listings where status = ''active''')
     where word ~ '^[a-z]+$' and length(word) > 3 order by ndoc desc, word limit 400`,
  );
  const common = rows.map(({ word }) => word);
  const top = common.slice(0, 20);
  const every20th = common.filter((_, index) => index % 20 === 0);
  const asText = (texts: readonly string[]): Search[] => texts.map((q) => ({ q, raw: '1' }));
  const each = (texts: readonly string[], others: readonly Search[]): Search[] =>
    texts.map((q, index) => ({ q, raw: '1', ...others[index % others.length] }));
  const shapes: Record<string, Search[]> = {
    'one letter': asText(letters),
    'one letter in a region': each(letters, places),
    'two letters': asText(pairs),
    'a part of words': asText(parts),
    'a common word': asText(top),
    'a middling word': asText(every20th),
    'two words': asText(top.map((word, index) => `${word} ${common[index * 9 + 20] ?? ''}`)),
    'two common words': asText(top.map((word, index) => `${word} ${top[(index + 3) % top.length] ?? ''}`)),
    'letters together': asText(['a b', 'a e i', 's t r p', 'a b c d e f g h i j k l m n o p q r s t u v w x y z']),
    'fifty words': asText([sentence.slice(0, 119), common.slice(0, 20).join(' ').slice(0, 119), letters.join(' ')]),
    'a quote': asText(['"free quotes"', '“house painting”', "'roof repairs'"]),
    'what all have': asText(['free quotes', 'quotes', 'free']),
    'a common word in a region': each(top, places),
    'a common word in a country': each(top, [{ country: 'NZ' }, { country: 'AU' }]),
    'a common word in a group': each(top, groups),
    'a common word, filtered': each(top, filters),
    'a letter, filtered': each(letters, filters),
    'a common word, by rating or newest': each(top, orders),
    'a letter, by rating or newest': each(letters, orders),
    'a word near a place': each(top, [
      { near: '-33.87,151.21', km: '25' },
      { near: '-36.85,174.76', km: '25' },
    ]),
    'nothing found': asText(['qq xx zz', ...letters.slice(0, 25).map((letter) => `zz${letter}xq${letter}w`)]),
  };
  await timeGroups(
    stage,
    'Any text',
    ['text'],
    Object.entries(shapes).map(([name, searches]) => ({ names: [name], searches })),
  );
  const live: number[] = [];
  for (let times = 0; times < 100; times += 1) live.push((await timeRequest(stage, '/api/live')).ms);
  printBars([{ what: 'of each, HTTP alone, p50 ms', measured: median(live) }]);
}

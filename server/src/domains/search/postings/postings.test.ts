import fc from 'fast-check';
import { expect, test } from 'vitest';
import { newBits, segmentRows, setBit } from './bits.ts';
import { facetKey, formKey, keyOfFacetToken } from './keys.ts';
import { Postings } from './postings.ts';
import type { KnownSearch } from './query.ts';
import { Pairs } from './reading/pairs.ts';
import { basesOf } from './bases.ts';
import { addList, addLists, listsOf, placeOf } from './lists.ts';
import { type Row, Segment } from './segment.ts';

// Every answer of the postings is held against a plain reading of the same listings.
const random = fc.sample(fc.infiniteStream(fc.nat({ max: 1_000_000 })), { numRuns: 1, seed: 5 })[0];
const nat = (below: number) => Number(random?.next().value) % below;

type Plain = {
  number: number;
  rank: number;
  rating: number;
  flags: boolean[];
  price: number | null;
  score: number;
  radius: number;
  cell: number;
  region: number;
  category: number;
  serves: number[];
  /** The first field that has each form. */
  forms: Map<number, number>;
};

const limits = [5_000, 10_000, 15_000, 25_000, 50_000, 100_000];
const scores = [40_000, 40_001, 47_312, 500_000];

function listing(number: number): Plain {
  const forms = new Map<number, number>();
  // The first few are in many, the others in few.
  for (const form of [nat(4), nat(30), nat(400)]) forms.set(form, Math.min(forms.get(form) ?? 3, 1 + nat(3)));
  return {
    number,
    rank: 1 + nat(3),
    rating: nat(5),
    flags: [nat(2) === 0, nat(3) === 0, nat(4) === 0],
    price: nat(4) === 0 ? null : 2_000 + nat(130_000),
    score: nat(3) > 0 ? 40_000 : (scores[nat(4)] ?? 0),
    radius: nat(3) === 0 ? 1 + nat(200) : 0,
    cell: nat(60) - 20,
    region: 1 + nat(4),
    category: 1 + nat(3),
    serves: nat(6) === 0 ? [101, 101 + nat(9)] : [],
    forms,
  };
}

const rowOf = (one: Plain, postings: Postings): Row => {
  const price = one.price === null ? 7 : limits.findIndex((limit) => (one.price ?? 0) <= limit);
  const [verified, photos, replied] = one.flags;
  return {
    row: one.number % segmentRows,
    rank: one.rank,
    evidence: one.rating * 64 + (verified ? 32 : 0) + (photos ? 16 : 0) + (replied ? 8 : 0) + (price === -1 ? 6 : price),
    price: one.price,
    score: one.score,
    radius: one.radius,
    cell: postings.cells.of(one.cell),
    keys: [
      facetKey('region', one.region),
      facetKey('category', one.category),
      ...new Set(one.serves.map((code) => facetKey('serves', code))),
      ...[...one.forms].map(([form, field]) => formKey(postings.forms.of(`f${form}`), field)),
    ],
  };
};

/** 14,000 listings of two segments, most of them in one, with a gap before each. */
const listings = new Map<number, Plain>();
for (let made = 0; made < 13_000; made += 1) {
  const number = made % 9 === 0 ? 3 * segmentRows + nat(segmentRows) : segmentRows + nat(segmentRows);
  listings.set(number, listing(number));
}
const postings = new Postings();
// Most forms are known from the beginning, the others come with the listings that have them.
postings.forms.begin(Array.from({ length: 300 }, (_, at) => `f${(at * 7) % 300}`));
for (const first of [segmentRows, 3 * segmentRows]) {
  const segment = new Segment(first);
  const pairs = new Pairs();
  const [cells, radii] = [new Int32Array(segmentRows).fill(-1), new Uint8Array(segmentRows)];
  for (const one of listings.values()) {
    if (one.number < first || one.number >= first + segmentRows) continue;
    const row = rowOf(one, postings);
    segment.write(row.row, row);
    cells[row.row] = row.cell;
    radii[row.row] = row.radius;
    for (const key of row.keys) pairs.add(pairs.numberOf(key), row.row);
  }
  segment.lists = listsOf(pairs);
  segment.bases = basesOf(cells, radii, postings.cells.size);
  postings.segments.set(first, segment);
}

function change(number: number) {
  const now = nat(3) === 0 ? null : listing(number);
  const first = number - (number % segmentRows);
  const segment = postings.segments.get(first) ?? new Segment(first);
  postings.segments.set(first, segment);
  segment.change(number - first, now && rowOf(now, postings));
  if (now) listings.set(number, now);
  else listings.delete(number);
}

function fieldOf(one: Plain, word: KnownSearch['words'][number]) {
  const { begins } = word;
  const meant = begins === undefined ? word.forms : formsFrom(0, 400).filter((form) => form.startsWith(begins));
  const fields = meant.flatMap((form) => one.forms.get(Number(form.slice(1))) ?? []);
  const named = word.facets.some((key) => key === facetKey('category', one.category) || key === facetKey('region', one.region));
  return Math.min(...fields, named ? 4 : 9);
}

function within(one: Plain, { rings }: Pick<KnownSearch, 'rings'>) {
  if (!rings) return 0;
  const leg = rings.cells.indexOf(one.cell);
  const least = rings.least[leg] ?? 0;
  const serves = rings.serves.some((key) => one.serves.some((code) => key === facetKey('serves', code)));
  return leg !== -1 && (least === 0 || one.radius >= least || serves) ? (rings.rings[leg] ?? 0) : null;
}

function plainly(asked: Omit<KnownSearch, 'skip'>) {
  const { rating, flags, price, cut } = asked.evidence;
  const limitOf = (place: number) => limits[place] ?? Infinity;
  const isRated = (one: Plain, from = rating) => one.rating >= from;
  const isFlagged = (one: Plain, planes = flags) => planes.every((plane) => one.flags[plane - 4]);
  const isPriced = (one: Plain) => price === null || (one.price !== null && one.price <= (cut ?? limitOf(price)));
  const matching = [...listings.values()]
    .map((one) => ({ one, worth: Math.max(0, ...asked.words.map((word) => fieldOf(one, word))), ring: within(one, asked) }))
    .filter(({ one, worth, ring }) => {
      const isIn = asked.facets.every(
        (keys) => keys.includes(facetKey('region', one.region)) || keys.includes(facetKey('category', one.category)),
      );
      return worth < 9 && ring !== null && isIn && (asked.cell === null || one.cell === asked.cell);
    });
  const count = (passes: (one: Plain) => boolean) => matching.filter(({ one }) => passes(one)).length;
  const choices = {
    rating: [1, 2, 3, 4].map((from) => count((one) => isFlagged(one) && isPriced(one) && isRated(one, from))),
    flags: [4, 5, 6].map((plane) => count((one) => isFlagged(one, [...flags, plane]) && isPriced(one) && isRated(one))),
    price: limits.map((limit) => count((one) => isFlagged(one) && isRated(one) && one.price !== null && one.price <= limit)),
  };
  const passing = matching.filter(({ one }) => isRated(one) && isFlagged(one) && isPriced(one));
  const byRank = (a: Plain, b: Plain) => b.rank - a.rank || b.number - a.number;
  type Match = (typeof passing)[number];
  const orders = {
    recommended: (a: Match, b: Match) =>
      (a.ring ?? 0) - (b.ring ?? 0) || b.one.rank - a.one.rank || (asked.byWorth ? a.worth - b.worth : 0) || b.one.number - a.one.number,
    rating: (a: Match, b: Match) => b.one.score - a.one.score || byRank(a.one, b.one),
    newest: (a: Match, b: Match) => b.one.number - a.one.number,
  };
  const numbers = passing.toSorted(orders[asked.order]).map(({ one }) => one.number);
  const featured = passing.toSorted(orders[asked.order]).filter(({ one }) => one.rank === 3);
  const paid = asked.order === 'recommended' ? [] : featured.slice(0, 4).map(({ one }) => one.number);
  const list = [...paid, ...numbers.filter((number) => !paid.includes(number))];
  return { total: list.length, list, paid, choices: matching.length <= asked.choicesUpTo ? choices : null };
}

const formsFrom = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => `f${from + at}`);
const word = fc.oneof(
  fc.nat({ max: 410 }).map((form) => ({ forms: [`f${form}`], facets: [] })),
  fc.nat({ max: 3 }).map((form) => ({ forms: [`f${form}`, `f${form + 1}`], facets: [] })),
  fc.constantFrom(
    { forms: formsFrom(0, 400), facets: [] },
    { forms: formsFrom(3, 330), facets: [facetKey('category', 2)] },
    { forms: formsFrom(20, 60), facets: [facetKey('category', 1), facetKey('region', 3)] },
    { forms: [], facets: [facetKey('category', 1)] },
    { forms: ['nobody has it'], facets: [] },
    ...['f', 'f1', 'f2', 'f39', 'f399', 'g'].map((begins) => ({
      forms: [],
      begins,
      facets: begins === 'f2' ? [facetKey('category', 3)] : [],
    })),
  ),
);
const rings = fc
  .array(
    fc.record({ cell: fc.integer({ min: -20, max: 45 }), least: fc.constantFrom(0, 0, 5, 60, 140, 32_767), ring: fc.nat({ max: 12 }) }),
    {
      minLength: 1,
      maxLength: 40,
    },
  )
  .map((legs) => legs.filter(({ cell }, at) => legs.findIndex((one) => one.cell === cell) === at))
  .chain((legs) =>
    fc.constantFrom([], [facetKey('serves', 101)], [facetKey('serves', 104), facetKey('serves', 105)]).map((serves) => ({
      // Nobody asks again for every third.
      key: legs.length % 3 === 0 ? null : JSON.stringify(legs),
      cells: Int32Array.from(legs, ({ cell }) => cell),
      least: Uint16Array.from(legs, ({ least }) => least),
      rings: Uint16Array.from(legs, ({ ring }) => ring),
      serves,
    })),
  );
const search = fc.record({
  words: fc.oneof(fc.constant([]), fc.array(word, { minLength: 1, maxLength: 3 })),
  facets: fc.constantFrom(
    [],
    [],
    [[facetKey('region', 2)]],
    [[facetKey('category', 1), facetKey('category', 3)]],
    [[facetKey('region', 1)], [facetKey('category', 2)]],
  ),
  cell: fc.constantFrom(null, null, null, 7, 99),
  evidence: fc.record({
    rating: fc.constantFrom(0, 0, 1, 4),
    flags: fc.constantFrom([], [], [4], [5, 6]),
    price: fc.constantFrom(null, null, 0, 2, 6),
    cut: fc.constant(null),
  }),
  rings: fc.oneof(fc.constant(null), fc.constant(null), rings),
  order: fc.constantFrom('recommended' as const, 'rating' as const, 'newest' as const),
  take: fc.constantFrom(1, 7, 20, 100),
  choicesUpTo: fc.constantFrom(-1, 500, Infinity),
});
const evidenceOf = ({ price, ...evidence }: Omit<KnownSearch['evidence'], 'cut'>, isCut: boolean) => {
  const below = price === null ? 0 : (limits[price - 1] ?? 0);
  return { ...evidence, price, cut: isCut && price !== null ? below + 3_100 : price === 6 ? 110_000 : null };
};

test('any search gives the same listings, order, total and choices as a plain reading, on the first, a middle and the last page', () => {
  let searches = 0;
  fc.assert(
    fc.property(search, fc.boolean(), fc.boolean(), (given, isCut, isWorth) => {
      // Now and then something changes, so that lists alone no longer tell what is true.
      searches += 1;
      if (searches > 40 && searches % 3 === 0) {
        for (let at = 0; at < 30; at += 1) change(segmentRows * (1 + nat(3)) + nat(segmentRows));
        for (const number of [...listings.keys()].slice(nat(9_000)).slice(0, 20)) change(number);
      }
      const asked = { ...given, evidence: evidenceOf(given.evidence, isCut), byWorth: isWorth && !given.rings && given.words.length > 0 };
      const { list, paid, ...all } = plainly(asked);
      const pages = Math.ceil(all.total / asked.take);
      for (const page of new Set([1, Math.ceil(pages / 2), pages, pages + 1])) {
        const skip = Math.max(0, page - 1) * asked.take;
        const numbers = list.slice(skip, skip + asked.take);
        const paidHere = numbers.filter((number) => paid.includes(number)).length;
        expect(postings.find({ ...asked, skip })).toEqual({ ...all, numbers, paid: paidHere });
      }
    }),
    { numRuns: 100, seed: 42 },
  );
});

test('lists of few rows and of many stand side by side, those of many as a bit for each row', () => {
  // Of key 5 there are as many as are still few; each of those of many comes behind an odd number of rows.
  const sizes = new Map(
    Object.entries({ 1: 3, 2: 4_097, 3: 1, 4: 9_000, 5: 4_096, 6: 65_536, 7: 2 }).map(([key, size]) => [Number(key), size]),
  );
  const rowsOf = (key: number) => Array.from({ length: sizes.get(key) ?? 0 }, (_, at) => (at * 7 + key) % segmentRows);
  const pairs = new Pairs();
  for (const key of [...sizes.keys()].toReversed()) for (const row of rowsOf(key)) pairs.add(pairs.numberOf(key), row);
  const lists = listsOf(pairs);
  const has = (keys: number[], add: (bits: ReturnType<typeof newBits>) => void) => {
    const [bits, expected] = [newBits(), newBits()];
    add(bits);
    for (const key of keys) for (const row of rowsOf(key)) setBit(expected, row);
    expect([keys, bits.every((word, at) => word === expected[at])]).toEqual([keys, true]);
  };
  for (const key of sizes.keys()) has([key], (bits) => addList(lists, placeOf(lists, key), bits));
  // As a stretch: of both kinds, of many alone, and ending before or behind one of many.
  for (const keys of [[1, 2, 3, 4, 5], [4], [3, 4], [2, 3], [5], [1], [7]])
    has(keys, (bits) => addLists(lists, placeOf(lists, keys[0] ?? 0), placeOf(lists, (keys.at(-1) ?? 0) + 1), bits));
  expect(lists.rows).toHaveLength(4 + 4_096 + 2 + 4_096 + 4_096 + 4_096 + 2);
});

/** Postings of these rows alone, each changed since its segment was read. */
function changedPostings(rows: readonly (Pick<Row, 'row' | 'keys' | 'price'> & Partial<Row>)[], own: Postings) {
  const segment = new Segment(0);
  for (const row of rows) segment.change(row.row, { rank: 1, evidence: row.price === null ? 7 : 2, score: 0, radius: 0, cell: 1, ...row });
  own.segments.set(0, segment);
  return own;
}
const plain = { facets: [], cell: null, rings: null, order: 'recommended', skip: 0, take: 10, choicesUpTo: -1 } as const;
const nothingAsked = { rating: 0, flags: [], price: null, cut: null };

test('a segment is worn by each row that has changed, and a sixteenth as much by one that nobody finds any more', () => {
  const segment = new Segment(0);
  for (let row = 0; row < 32; row += 1) segment.change(row, null);
  expect([segment.changes, segment.worn]).toEqual([32, 2]);
  for (let row = 0; row < 16; row += 1)
    segment.change(row, { row, rank: 1, evidence: 7, price: null, score: 0, radius: 0, cell: 1, keys: [] });
  expect([segment.changes, segment.worn]).toEqual([32, 17]);
});

test('a price at the limit is within it, one that is a cent more is not, and of as many matches as are allowed choices are counted', () => {
  const own = changedPostings(
    [12_000, 12_001, 11_999, null].map((price, row) => ({ row, price, keys: [] })),
    new Postings(),
  );
  const found = own.find({ ...plain, words: [], byWorth: false, evidence: { ...nothingAsked, price: 2, cut: 12_000 } });
  expect(found.numbers).toEqual([2, 0]);
  const isCounted = (choicesUpTo: number) =>
    own.find({ ...plain, choicesUpTo, words: [], byWorth: false, evidence: nothingAsked }).choices !== null;
  expect([isCounted(3), isCounted(4)]).toEqual([false, true]);
});

test('of the best rated each page begins where the one before ends, also where many have the same rating', () => {
  // Three hundred of each of three ratings: so many are parted by their digits.
  const rows = Array.from({ length: 900 }, (_, row) => ({
    row,
    price: null,
    keys: [],
    score: [40_000, 47_312, 500_000][row % 3] as number,
  }));
  const own = changedPostings(rows, new Postings());
  const best = rows.toSorted((one, other) => other.score - one.score || other.row - one.row).map(({ row }) => row);
  const page = (skip: number, take: number) =>
    own.find({ ...plain, order: 'rating', words: [], byWorth: false, evidence: nothingAsked, skip, take }).numbers;
  for (const skip of [0, 290, 295, 299, 300, 301, 595, 600, 890, 895])
    expect([skip, page(skip, 10)]).toEqual([skip, best.slice(skip, skip + 10)]);
  expect(page(290, 400)).toEqual(best.slice(290, 690));
});

test('the nearest stand first, also of those that have changed since they were read', () => {
  const own = new Postings();
  const [near, far, other] = [5, 6, 7].map((code) => own.cells.of(code));
  const cells = [far, near, other, far, near] as number[];
  changedPostings(
    cells.map((cell, row) => ({ row, price: null, keys: [], cell })),
    own,
  );
  const asked = { key: null, cells: Int32Array.of(5, 6), least: Uint16Array.of(0, 0), rings: Uint16Array.of(0, 1), serves: [] };
  const find = (page: { skip: number; take: number }) =>
    own.find({ ...plain, ...page, words: [], byWorth: false, evidence: nothingAsked, rings: asked });
  expect(find({ skip: 0, take: 10 })).toMatchObject({ total: 4, numbers: [4, 1, 3, 0] });
  expect(find({ skip: 1, take: 2 }).numbers).toEqual([1, 3]);
  expect(find({ skip: 2, take: 2 }).numbers).toEqual([3, 0]);
});

test('around a point that is asked for again those count too who are the first in their place', () => {
  const own = new Postings();
  const rowIn = (row: number, cell: number) => ({ row, price: null, keys: [], cell: own.cells.of(cell) });
  changedPostings([rowIn(0, 5), rowIn(1, 8)], own);
  const around = (cells: number[]) => ({
    key: cells.join(','),
    cells: Int32Array.from(cells),
    least: new Uint16Array(cells.length),
    rings: Uint16Array.from(cells.keys()),
    serves: [],
  });
  const find = (cells: number[]) => own.find({ ...plain, words: [], byWorth: false, evidence: nothingAsked, rings: around(cells) }).numbers;
  expect([find([6, 5]), find([8]), find([6, 5])]).toEqual([[0], [1], [0]]);
  changedPostings([rowIn(0, 5), rowIn(1, 8), rowIn(2, 6)], own);
  expect([find([6, 5]), find([8])]).toEqual([[2, 0], [1]]);
});

test('around a point that is asked for again the nearest stand first, also once another was asked for', () => {
  const find = (cells: number[]) => {
    const rings = {
      key: `cells ${cells.join(',')}`,
      cells: Int32Array.from(cells),
      least: new Uint16Array(cells.length),
      rings: Uint16Array.from(cells.keys()),
      serves: [],
    };
    return postings.find({ ...plain, take: 1_000, words: [], byWorth: false, evidence: nothingAsked, rings });
  };
  const first = find([3, 7, 11]);
  expect(first.numbers.length).toBeGreaterThan(100);
  expect(find([20, 1, 8]).numbers).not.toEqual(first.numbers);
  expect(find([3, 7, 11])).toEqual(first);
});

test('of many forms of a word the one in the title stands before the one among the services, also of what has changed', () => {
  const own = new Postings();
  const forms = formsFrom(0, 300);
  for (const form of forms) own.forms.of(form);
  const keysIn = [1, 3, 2].map((field) => [formKey(own.forms.of('f7'), field)]);
  changedPostings(
    keysIn.map((keys, row) => ({ row, price: null, keys })),
    own,
  );
  expect(own.find({ ...plain, words: [{ forms, facets: [] }], byWorth: true, evidence: nothingAsked }).numbers).toEqual([0, 2, 1]);
});

test('a facet of the search column is asked for by the code that a search names', () => {
  expect(keyOfFacetToken('country:NZ')).toBe(facetKey('country', 'NZ'));
  expect(keyOfFacetToken('main:trade')).toBe(facetKey('main', 'trade'));
  expect(keyOfFacetToken('sub:601')).toBe(facetKey('sub', 601));
  expect([keyOfFacetToken('sub:none'), keyOfFacetToken('rank:2')]).toEqual([null, null]);
  const kinds = ['country:NZ', 'country:AU', 'main:domestic', 'main:trade', 'main:other', 'region:1', 'district:1', 'category:1', 'sub:1'];
  expect(new Set(kinds.map(keyOfFacetToken)).size).toBe(kinds.length);
});

import { afterEach, expect, test, vi } from 'vitest';
import { getSearchedPlace, suggestPros, understandJob } from './quote-request-queries.ts';

let answers: ((query: URLSearchParams) => object)[] = [];
const requests: string[] = [];
const respond = (body: object, status = 200) => new Response(JSON.stringify(body), { status });
vi.stubGlobal('localStorage', { getItem: () => null });
vi.stubGlobal('fetch', async (url: string) => {
  const query = new URL(url, 'https://own.invalid').searchParams;
  requests.push(query.toString());
  const body = answers.shift()?.(query) ?? {};
  return respond(body, 'code' in body ? 400 : 200);
});
afterEach(() => {
  answers = [];
  requests.length = 0;
});

const { signal } = new AbortController();
const understood = { category: null, subCategory: null, place: null, area: null, near: null };
const card = (id: string, business = `Business ${id}`, location = 'Hamilton, Waikato, New Zealand', more: object = {}) => ({
  _id: id,
  serviceTitle: 'Plumber',
  businessTitle: business,
  logo: '',
  logoColor: '#10B981',
  serviceCategory: 'Plumbing',
  location,
  district: location.split(', ')[0],
  region: location.split(', ')[1],
  base: null,
  section: 'match',
  serviceDescription: 'Taps.',
  averageRating: 4.5,
  reviewCount: 2,
  plan: { planType: 'basic' },
  cover: null,
  verified: [],
  inTradeSince: null,
  ...more,
});
const found = (...cards: object[]) => ({ understood: { ...understood, place: 'Hamilton, Waikato' }, listings: cards });
const ids = (answer: Awaited<ReturnType<typeof suggestPros>>) =>
  answer === 'unknown-place' ? answer : answer.pros.map(({ listingId }) => listingId).join('');
const wanted = { category: 'Plumbing', subCategory: 'Pipe repairs', place: 'hamilton' };

test('interprets a description as the search does', async () => {
  answers = [
    () => ({
      understood: { category: 'Plumbing', subCategory: 'Pipe repairs', place: 'Taupō, Waikato', area: { region: 'waikato' } },
      listings: [],
    }),
  ];
  expect(await understandJob('A pipe leaks in Taupō', signal)).toEqual({
    category: 'Plumbing',
    subCategory: 'Pipe repairs',
    place: 'Taupō, Waikato',
  });
  expect(requests).toEqual(['q=A+pipe+leaks+in+Taup%C5%8D&limit=1']);
  expect(getSearchedPlace('word '.repeat(40))).toBe(`${'word '.repeat(23)}word`);
  expect(getSearchedPlace('x'.repeat(130))).toBe('x'.repeat(120));
  expect(getSearchedPlace(' two\n lines ')).toBe('two lines');
});

test('finds nothing without a kind of job, and takes no country as its place', async () => {
  answers = [
    () => ({ understood: { ...understood, category: 'Domestic' }, listings: [] }),
    () => ({ understood: { category: 'Roofing', subCategory: null, place: 'Australia', area: { region: null } }, listings: [] }),
  ];
  expect(await understandJob('Something', signal)).toBeNull();
  expect(await understandJob('A roof', signal)).toEqual({ category: 'Roofing', subCategory: '', place: '' });
});

test('suggests at most six businesses, each once, in the order of the search', async () => {
  answers = [() => found(card('a'), card('b'), card('c', 'Business a'), card('d'), card('e'), card('f'), card('g'), card('h'))];
  const answer = await suggestPros(wanted, signal);
  expect(ids(answer)).toBe('abdefg');
  expect(answer).toMatchObject({
    place: 'Hamilton, Waikato',
    pros: [{ name: 'Business a', title: 'Plumber', average: 4.5, reviews: 2, place: 'Hamilton, Waikato' }, {}, {}, {}, {}, {}],
  });
  expect(requests).toEqual(['category=Plumbing&subCategory=Pipe+repairs&where=hamilton&limit=12']);
});

test('says where each business is based, how far that is, and who travels', async () => {
  const near = { ...understood, place: 'Newtown, Wellington', near: { label: '', latitude: 0, longitude: 0, km: 25 } };
  const place = 'Wellington City, Wellington, New Zealand';
  answers = [
    () => ({
      understood: near,
      listings: [
        card('a', 'A', place, { base: 'Newtown', distanceKm: 0.4 }),
        card('b', 'B', place, { base: 'Karori', distanceKm: 57.2 }),
        card('c', 'C', place, { base: 'Karori', distanceKm: 57.2, section: 'further' }),
      ],
    }),
  ];
  const answer = await suggestPros({ ...wanted, place: 'Newtown' }, signal, 'NZ');
  expect(answer === 'unknown-place' ? answer : answer.pros.map((pro) => pro.place)).toEqual([
    'under 1 km away · Newtown, Wellington City',
    '57 km away, travels to you · Karori, Wellington City',
    '57 km away · Karori, Wellington City',
  ]);
  expect(new URLSearchParams(requests[0]).get('country')).toBe('NZ');
});

test('suggests two businesses of one name in different places', async () => {
  answers = [
    () =>
      found(
        card('a', 'Harbour Plumbing'),
        card('b', 'Harbour Plumbing', 'Ōtorohanga, Waikato, New Zealand'),
        card('c', 'Harbour Plumbing'),
      ),
  ];
  const answer = await suggestPros({ ...wanted, subCategory: '' }, signal);
  expect(answer).toMatchObject({
    pros: [
      { listingId: 'a', place: 'Hamilton, Waikato' },
      { listingId: 'b', place: 'Ōtorohanga, Waikato' },
    ],
  });
});

test('appends others of the group if few offer the exact service', async () => {
  answers = [() => found(card('a')), () => found(card('b'), card('a'), card('c'))];
  expect(ids(await suggestPros(wanted, signal))).toBe('abc');
  expect(requests[1]).toBe('category=Plumbing&where=hamilton&limit=12');
  requests.length = 0;
  answers = [() => found()];
  expect(ids(await suggestPros({ ...wanted, subCategory: '' }, signal))).toBe('');
  expect(requests).toHaveLength(1);
});

test('reports an unknown place, and rethrows other errors', async () => {
  answers = [() => ({ code: 'invalid_input', message: '', errors: [{ field: 'where', message: '' }] })];
  expect(await suggestPros(wanted, signal)).toBe('unknown-place');
  answers = [() => ({ code: 'invalid_input', message: 'It cannot be read', errors: [{ field: 'category', message: '' }] })];
  await expect(suggestPros(wanted, signal)).rejects.toThrow('It cannot be read');
});

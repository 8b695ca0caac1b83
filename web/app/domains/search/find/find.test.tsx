import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { renderToString } from 'react-dom/server';
import { createRoutesStub } from 'react-router';
import { expect, test } from 'vitest';
import { Find } from './find.tsx';
import { createFindData } from './find-data.ts';
import { NoSuchSearch } from './no-such-search.tsx';
import { nothingUnderstood } from './unanswered-data.ts';

type Found = Parameters<typeof createFindData>[1];

const nothing: Found['understood'] = { ...nothingUnderstood, words: 'tiler' };

/** The page of a search as the server sends it. */
function page(found: Partial<Found>) {
  const answer: Found = {
    listings: [],
    sections: [],
    currentPage: 1,
    totalPages: 1,
    totalListings: 0,
    totalIsExact: true,
    understood: nothing,
    alternatives: [],
    facets: null,
    notice: null,
    ...found,
  };
  const Stub = createRoutesStub([{ path: '/search', Component: () => <Find data={createFindData({ q: 'tiler' }, answer)} /> }]);
  return renderToString(
    <QueryClientProvider client={new QueryClient()}>
      <Stub initialEntries={['/search?q=tiler']} />
    </QueryClientProvider>,
  ).replaceAll('<!-- -->', '');
}

test('shows a total that was not counted to the end with a plus', () => {
  expect(page({ totalListings: 1_000, totalIsExact: false, totalPages: 50 })).toContain('0 of 1,000+ Active Listings');
  expect(page({ totalListings: 999 })).toContain('0 of 999 Active Listings');
});

test('asks above the results whether another place of the name is meant', () => {
  const alternatives = [{ label: 'Newtown, New South Wales', total: 17, query: 'near=Newtown', isNamesake: true as const }];
  const shown = page({ alternatives });
  const question = shown.indexOf('Did you mean:');
  expect(question).toBeGreaterThan(-1);
  expect(shown.indexOf('Newtown, New South Wales (17)')).toBeGreaterThan(question);
  expect(shown.indexOf('<h1')).toBeGreaterThan(question);
  expect(page({})).not.toContain('Did you mean');
});

test('shows the total of an alternative with a plus if it was counted to 1,000 only, and nothing close above an empty list', () => {
  const alternatives = [
    { label: 'Plumbing', total: 1_000, query: 'category=Plumbing' },
    { label: 'Tiling', total: 999, query: 'q=tiling' },
  ];
  const shown = page({ alternatives });
  expect(shown).toContain('>1,000+ listings<');
  expect(shown).toContain('>999 listings<');
  expect(shown).toContain('No one here matches all of that, but the searches below find something.');
  const alone = page({ alternatives: [] });
  expect(alone).toContain('No one here matches all of that. Try fewer words or a bigger area.');
  expect(alone).not.toContain('close to this one');
});

test('says how to narrow a search that took too long, instead of a total', () => {
  const notice = 'Showing the first matches; add a place or a trade to narrow it down';
  const shown = page({ totalListings: null, totalPages: null, totalIsExact: false, alternatives: null, notice });
  expect(shown).toContain(notice);
  expect(shown).not.toMatch(/Active Listings|aria-label="Pages"/);
});

test('says that numbers are missing, beside the total', () => {
  const notice = 'Some numbers are missing, because this search took too long; search again to see them';
  const shown = page({ totalListings: 7, facets: null, alternatives: null, notice });
  expect(shown).toContain(notice);
  expect(shown).toContain('0 of 7 Active Listings');
});

test('names the country of the site for a place in another country, and the unknown part otherwise', () => {
  const render = (onlyIn: string | null) => {
    const Stub = createRoutesStub([
      { path: '/search', Component: () => <NoSuchSearch search={{ params: { country: 'AU' }, wrong: ['country'], onlyIn }} /> },
    ]);
    return renderToString(<Stub initialEntries={['/search?country=AU']} />);
  };
  expect(render('New Zealand')).toContain('This site shows businesses in New Zealand only.');
  expect(render('New Zealand')).not.toContain('There is no country');
  expect(render(null)).toContain('There is no country “AU”.');
});

const card = (title: string, section: Found['listings'][number]['section']) =>
  ({
    _id: title,
    serviceTitle: title,
    businessTitle: title,
    serviceCategory: 'Plumbing',
    serviceDescription: '',
    services: [],
    location: 'Hamilton, Waikato, New Zealand',
    serviceDistricts: [],
    plan: { planType: 'basic' },
    verified: [],
    serviceImages: [],
    reviews: [],
    averageRating: 0,
    reviewCount: 0,
    section,
  }) as unknown as Found['listings'][number];

test('shows each section under its heading, and its filters even without results', () => {
  const shown = page({
    totalListings: 1,
    listings: [card('Here', 'match'), card('Away', 'further')],
    sections: [
      { key: 'match', heading: null, count: 1 },
      { key: 'further', heading: 'Tilers further away', count: 1 },
    ],
  });
  expect(shown).toMatch(/Here[\s\S]*<h2>Tilers further away<\/h2>[\s\S]*Away/);
  expect(shown).toContain('1 of 1 Active Listings');
  expect(page({}).match(/<select name="minRating"/g)).toHaveLength(1);
});

test('asks where, above the results of a search without a place', () => {
  expect(page({})).toMatch(/Where\?<\/label>[\s\S]*No listings found/);
  const area = { country: 'NZ', region: 'waikato', district: 'hamilton', town: null };
  expect(page({ understood: { ...nothing, area, place: 'Hamilton, Waikato' } })).not.toContain('id="where-question"');
});

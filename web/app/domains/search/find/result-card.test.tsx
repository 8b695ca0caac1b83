import { renderToString } from 'react-dom/server';
import { createRoutesStub } from 'react-router';
import { expect, test } from 'vitest';
import { ResultGrid, type ResultView } from './result-card.tsx';

const card: ResultView = {
  id: '0190b7d0-0000-7000-8000-000000000001',
  title: 'Blocked drains cleared',
  business: { name: 'Tap Dancers Plumbing', logo: '', color: '#10B981' },
  categorySlug: 'plumbing',
  location: 'Auckland › New Zealand',
  place: 'Onehunga, Auckland',
  serviceArea: '',
  description: 'We clear drains.',
  averageRating: 4.84,
  reviewCount: 9,
  plan: 'basic',
  facts: {
    price: 'From $90 per hour',
    fees: 'call-out $65',
    verified: 'Verified',
    licence: 'Licence shown',
    availability: 'Available this week',
    others: ['Answers within about a day', 'Since 2012'],
  },
  cover: null,
};

/** The text of the card as the server sends it. */
function textOf(changes: Partial<ResultView>) {
  const Stub = createRoutesStub([{ path: '/search', Component: () => <ResultGrid cards={[{ ...card, ...changes }]} /> }]);
  return renderToString(<Stub initialEntries={['/search']} />)
    .replaceAll(/<[^>]*>/g, '|')
    .replaceAll(/\|+/g, '|');
}

test('shows name, rating with count, distance, price and fees in full', () => {
  const text = textOf({ distanceKm: 8.66 });
  for (const part of ['Tap Dancers Plumbing', '4.8', '9 reviews', '8.7 km away', 'Onehunga, Auckland', 'From $90 per hour', 'call-out $65'])
    expect(text).toContain(part);
  expect(text.indexOf('Tap Dancers')).toBeLessThan(text.indexOf('4.8'));
});

test('says of a business beyond the radius that it travels', () => {
  expect(textOf({ distanceKm: 57.2, travels: true })).toContain('57 km away|, travels to you');
  expect(textOf({ distanceKm: 57.2 })).not.toContain('travels');
});

test('has at most three facts, what was checked first', () => {
  // A line that is broken there does not begin with a dot.
  expect(textOf({})).toContain('|Verified\u00a0· Licence shown\u00a0· Available this week|');
  expect(textOf({ facts: { price: null, verified: null, others: ['Answers within about a day'] } })).toContain(
    '|Answers within about a day|',
  );
});

test('shows no rating of 0.0 without reviews, and no distance that is unknown', () => {
  const text = textOf({ averageRating: 0, reviewCount: 0 });
  expect(text).toContain('New on Handwise');
  expect(text).not.toMatch(/0\.0|away/);
});

import { renderToString } from 'react-dom/server';
import { createRoutesStub } from 'react-router';
import { expect, test } from 'vitest';
import { Reviews } from './reviews.tsx';
import type { ReviewsView } from './review-view.ts';

const textOf = (reviews: Partial<ReviewsView>) => {
  const view = { average: 0, total: 0, counts: [0, 0, 0, 0, 0], ...reviews } as ReviewsView;
  const Stub = createRoutesStub([
    { path: '/', Component: () => <Reviews reviews={view} action={null} empty="Be the first to write one." list={null} /> },
  ]);
  return renderToString(<Stub initialEntries={['/']} />).replaceAll(/<[^>]*>/g, '|');
};

test('shows no rating of 0.0 and no empty bars without reviews', () => {
  const text = textOf({});
  expect(text).toContain('New on Handwise');
  expect(text).toContain('Be the first to write one.');
  expect(text).not.toMatch(/0\.0|★/);
});

test('shows the average and how many gave each number of stars', () => {
  const text = textOf({ average: 4.5, total: 2, counts: [0, 0, 0, 1, 1] });
  expect(text).toContain('4.5');
  expect(text.match(/★/g)).toHaveLength(5);
});

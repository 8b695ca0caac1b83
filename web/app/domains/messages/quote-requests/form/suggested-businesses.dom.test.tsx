import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { renderPart } from '../../../../lib/testing/document.tsx';
import { type Suggest, SuggestedBusinesses, useSuggested } from './suggested-businesses.tsx';

function Businesses({ suggest }: { suggest: Suggest }) {
  const suggested = useSuggested({ category: 'Plumbing', subCategory: '', place: 'Taupō' }, suggest);
  return (
    <SuggestedBusinesses id="picks" suggested={suggested} picks={[]} outcomes={new Map()} onToggle={() => {}} onRetry={suggested.retry} />
  );
}

test('businesses that could not be looked up are not none, and can be looked up again', async () => {
  const asked: string[] = [];
  const suggest: Suggest = async ({ category, place }) => {
    asked.push(`${category} in ${place}`);
    if (asked.length === 1) throw new Error('offline');
    return { place: 'Taupō, Waikato', pros: [] };
  };
  const { user } = renderPart(<Businesses suggest={suggest} />);
  await screen.findByText(/^Businesses could not be looked up just now/);
  await user.click(screen.getByRole('button', { name: 'Look again' }));
  expect(document.activeElement?.textContent).toBe('Who should we ask?');
  await screen.findByText(/^Nobody offers this in Taupō, Waikato yet/);
  expect(asked).toEqual(['Plumbing in Taupō', 'Plumbing in Taupō']);
});

import { noCard } from '@handwise/contract/referrals/holds';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { savedCards } from '../payments/payment-queries.ts';
import { referralDashboard } from '../referrals/referral-queries.ts';
import { SaveCardOffer } from './save-card-offer.tsx';

function render(heldBecause: string | null, cards?: object[]) {
  const queries = new QueryClient();
  queries.setQueryData(referralDashboard('u').queryKey, { ownReferral: { heldBecause } } as never);
  if (cards) queries.setQueryData(savedCards.queryKey, cards as never);
  return renderToStaticMarkup(
    <QueryClientProvider client={queries}>
      <SaveCardOffer userId="u" />
    </QueryClientProvider>,
  );
}

test('asks to save a card while the reward waits and no card is saved', () => {
  expect(render(noCard, [])).toContain('Would you like to save a card?');
});

test('does not ask for a card once one is saved, and says what the reward still waits for', () => {
  const html = render(noCard, [{ _id: '1' }]);
  expect(html).not.toContain('Would you like to save a card?');
  expect(html).toContain('Another account uses your saved card, so the reward of the person whose code you used is still waiting.');
  expect(html).toContain('Save a different card');
});

test('asks nothing before the saved cards are known, or when no reward waits', () => {
  expect(render(noCard)).toBe('');
  expect(render(null, [])).toBe('');
});

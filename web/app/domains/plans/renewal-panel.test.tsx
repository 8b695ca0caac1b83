import { formatDate } from '@handwise/contract/dates';
import type { Renewal, Subscription } from '@handwise/contract/plans/calls';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { renderToStaticMarkup } from 'react-dom/server';
import { MemoryRouter } from 'react-router';
import { expect, test } from 'vitest';
import { savedCards } from '../payments/payment-queries.ts';
import { RenewalPanel } from './renewal-panel.tsx';

const card = {
  _id: '1',
  fullName: 'Mere Kingi',
  cardNumber: '•••• •••• •••• 4242',
  cardBrand: 'visa',
  cardLast4: '4242',
  expMonth: 12,
  expYear: 2090,
};
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();

const on: Renewal = { cardId: '1', amount: 2500, currency: 'NZD', nextChargeAt: '2026-12-21T00:00:00.000Z', state: 'on', problem: null };

function render(
  renewal: Renewal | null,
  { cards = [card], daysLeft = 20, hasFreeMonth = false, isDisputed = false, priceMinor = 2500 } = {},
) {
  const queries = new QueryClient();
  queries.setQueryData(savedCards.queryKey, cards);
  const plan = { name: 'Premium', priceMinor };
  const subscription = {
    _id: 's',
    plan,
    country: 'NZ',
    endDate: inDays(daysLeft),
    timeZone: 'Pacific/Auckland',
    renewal,
    isDisputed,
  } as unknown as Subscription;
  const html = renderToStaticMarkup(
    <QueryClientProvider client={queries}>
      <MemoryRouter>
        <RenewalPanel subscription={subscription} userId="u" hasFreeMonth={hasFreeMonth} />
      </MemoryRouter>
    </QueryClientProvider>,
  );
  return html
    .replaceAll(/<span class="visually-hidden">.*?<\/span>/g, '')
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ');
}

test('shows price, card and date before the renewal is switched on, and preselects nothing', () => {
  const text = render(null);
  expect(text).toMatch(
    /Price \$25\.00 NZD incl\. GST Card Visa •••• 4242 First charge \w{3} \d+, 20\d\d, for the 30 days from \w{3} \d+, 20\d\d Renew every 30 days How to stop/,
  );
  expect(text).toContain('Your plan ends by itself.');
});

test('with a free month left, the card is first charged for the period after the free month, on or off', () => {
  const zone = 'Pacific/Auckland';
  const date = (days: number) => formatDate(inDays(days), zone);
  const shown = `Free month From ${date(20)}`;
  const charged = `charge ${date(47)}, for the 30 days from ${date(50)}`;
  expect(render(null, { hasFreeMonth: true })).toContain(`${shown} First ${charged}`);
  expect(render(on, { hasFreeMonth: true })).toContain(`${shown} Next ${charged}`);
  expect(render(null, { hasFreeMonth: true, daysLeft: 0.5 })).toMatch(/First charge \w{3} \d+, .* Use your free month now and renew/);
  expect(render(null, { hasFreeMonth: true, daysLeft: 0.5 })).not.toContain('Pay');
});

test('says on the button that the charge is at once', () => {
  expect(render(null, { daysLeft: 0.5 })).toMatch(
    /First charge Now, for the 30 days from \w{3} \d+, 20\d\d Pay \$25\.00 NZD now and renew/,
  );
});

test('asks for a saved card if there is none, or only expired ones', () => {
  for (const cards of [[], [{ ...card, expYear: 2020 }]]) {
    expect(render(null, { cards })).toMatch(/Renewing needs a saved card.*Add a card/);
  }
});

test('shows price, card and next date while it is on, with one tap to switch it off', () => {
  expect(render(on)).toMatch(
    /Renews every 30 days Price \$25\.00 NZD incl\. GST Card Visa •••• 4242 Next charge Dec 21, 2026, for the 30 days from \w{3} \d+, 20\d\d Switch off renewal Change card How to stop/,
  );
  expect(render(on, { hasFreeMonth: true })).toContain('Your free month is used before the card.');
});

test('says why a renewal failed, and pays it in one step', () => {
  const failed: Renewal = { ...on, state: 'failed', problem: 'Your card was declined.' };
  const text = render(failed, { daysLeft: 2.5 });
  expect(text).toMatch(/Your plan was not renewed Your card was declined\. We try again on Dec 21, 2026\. You can also pay now\./);
  expect(text).toMatch(/Charge Now, for the 30 days from \w{3} \d+, 20\d\d Pay \$25\.00 NZD now Add a card Switch off renewal/);
  expect(render({ ...failed, nextChargeAt: null }, { daysLeft: 0.5 })).toMatch(/The plan ends on .* unless you pay before\./);
});

const cardless: Renewal = {
  ...on,
  state: 'failed',
  nextChargeAt: null,
  problem: 'The card you chose is no longer saved. Nothing was charged. A new card is needed to renew.',
};

test('without a usable card offers to add one, to pay then, and to switch off', () => {
  for (const cards of [[], [{ ...card, expYear: 2020 }]]) {
    const due = render(cardless, { cards, daysLeft: 2.5 });
    expect(due).toMatch(/A new card is needed to renew\. The plan ends on .* unless you pay before\./);
    expect(due).toMatch(/To pay \$25\.00 NZD now, add a card first\. Saving one charges nothing\. Add a card Switch off renewal/);
    expect(due).not.toContain('We try again');
    expect(render(cardless, { cards })).toMatch(/unless you renew it before\. To renew for \$25\.00 NZD, add a card first\./);
  }
});

test('before its charge is due, a failed renewal is renewed for the price and not paid at once', () => {
  expect(render(cardless)).toMatch(
    /Charge \w{3} \d+, 20\d\d, for the 30 days from \w{3} \d+, 20\d\d Renew for \$25\.00 NZD Add a card Switch off renewal/,
  );
});

test('asks for a new yes when the price has gone up, and names the new price', () => {
  const text = render(on, { priceMinor: 3000 });
  expect(text).toMatch(/The Premium plan now costs \$30\.00 NZD\s?, and you agreed to \$25\.00 NZD/);
  expect(text).toMatch(/Price \$30\.00 NZD incl\. GST .* Renew for \$30\.00 NZD Add a card Switch off renewal/);
});

test('offers to switch off, and nothing else, while the plan is disputed', () => {
  for (const renewal of [on, cardless]) expect(render(renewal, { isDisputed: true }).trim()).toBe('Switch off renewal How to stop');
});

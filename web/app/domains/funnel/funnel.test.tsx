import type { Funnel as FunnelData } from '@handwise/contract/funnel/calls';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { Funnel, funnelQuery } from './funnel.tsx';

function render(unanswered: FunnelData['unanswered']) {
  const queries = new QueryClient();
  const values = { visits: 40, sign_ups: null, published: 0, contacted: 6, answered: 5, renewed: 0, left: 0 };
  const data: FunnelData = {
    computedAt: '2026-11-28T00:00:00.000Z',
    week: [{ name: '2026-11-23', values }],
    place: [{ name: 'Waikato', values }],
    trade: [{ name: 'Plumbing', values }],
    unanswered,
    ladder_place: [{ name: 'Otago', values: { waited: 12, after_first: 7, after_second: null, passed_on: 5, answered_elsewhere: 0 } }],
    ladder_trade: [],
  };
  queries.setQueryData(funnelQuery.queryKey, data);
  return renderToStaticMarkup(
    <QueryClientProvider client={queries}>
      <Funnel />
    </QueryClientProvider>,
  )
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ');
}

test('shows a row with hidden numbers as such', () => {
  expect(render([])).toMatch(/Waikato 40 – not shown 0 6 5 0 0/);
});

test('lists the towns with a number and counts the others', () => {
  const text = render([
    { name: 'Taupō, Waikato', requests: 8 },
    { name: 'Bluff, Southland', requests: null },
    { name: 'Gore, Southland', requests: null },
  ]);
  expect(text).toMatch(/Town Requests in 30 days Taupō, Waikato 8 2 towns have a number that is not shown\. The CSV names them\./);
  expect(text).not.toContain('Gore');
  const one = render([{ name: 'Gore, Southland', requests: null }]);
  expect(one).toContain('One town has a number that is not shown. The CSV names it.');
  expect(one).not.toContain('Requests in 30 days');
});

test('shows what reminders changed by place, and says if there is nothing', () => {
  const text = render([]);
  expect(text).toMatch(/Otago 12 7 – not shown 5 0/);
  expect(text).toContain('No customer of the last 30 days had to wait for a day or a reminder.');
});

test('says if no request is unanswered', () => {
  expect(render([])).toContain('No customer of the last 30 days is waiting for a first answer.');
});

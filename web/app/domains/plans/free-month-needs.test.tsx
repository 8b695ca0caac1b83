import { renderToStaticMarkup } from 'react-dom/server';
import { MemoryRouter } from 'react-router';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import { FreeMonthAddress } from './free-month-needs.tsx';

const render = (planType: 'basic' | 'premium' | 'featured') =>
  renderToStaticMarkup(
    <QueryClientProvider client={new QueryClient()}>
      <MemoryRouter>
        <FreeMonthAddress email="mere@example.org" plan={{ name: 'Premium', planType }} />
      </MemoryRouter>
    </QueryClientProvider>,
  );

test('says that the larger plans need a saved card while the address is still unconfirmed, and that the basic one does not', () => {
  for (const planType of ['premium', 'featured'] as const) expect(render(planType)).toContain('the free month also needs a saved card');
  expect(render('basic')).not.toContain('saved card');
});

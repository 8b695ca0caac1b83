import { startTransition, StrictMode } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { HydratedRouter } from 'react-router/dom';
import { DocumentBoundary } from './ui/page/boundaries.tsx';

// Safari 16 and Firefox before 125 have no popovers, which the menus and filters are.
const popovers = 'popover' in HTMLElement.prototype ? Promise.resolve() : import('@oddbird/popover-polyfill');

void popovers.then(() =>
  startTransition(() => {
    hydrateRoot(
      document,
      <StrictMode>
        <DocumentBoundary>
          <HydratedRouter />
        </DocumentBoundary>
      </StrictMode>,
    );
  }),
);

// The privacy page says so. Chosen anew for each page view, so that nothing is stored in the browser. A program is no visitor.
const measuredShare = 0.1;
if (!navigator.webdriver && Math.random() < measuredShare) void import('./lib/vitals.ts');

import { startTransition, StrictMode } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { HydratedRouter } from 'react-router/dom';
import { DocumentBoundary } from './ui/page/boundaries.tsx';

// Safari 16 and Firefox before 125 have no popovers, which the menus and filters are.
const popovers = Object.hasOwn(HTMLElement.prototype, 'popover') ? Promise.resolve() : import('@oddbird/popover-polyfill');

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

import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ApiError } from './api-error.ts';

const fiveMinutes = 5 * 60 * 1000;

const makeClient = () =>
  new QueryClient({
    defaultOptions: {
      queries: {
        // Client errors such as 404 do not go away by retrying.
        retry: (failures, error) => failures < 3 && !(error instanceof ApiError && error.status >= 400 && error.status < 500),
        retryDelay: (attempt) => Math.min(1000 * 2 ** attempt, 30_000),
        staleTime: fiveMinutes,
        gcTime: fiveMinutes,
      },
      mutations: { retry: false },
    },
  });

// One per visit in the browser; on the server one per rendering, which loads nothing.
let client: QueryClient | undefined;

const queryClient = () => (typeof document === 'undefined' ? makeClient() : (client ??= makeClient()));

/** Only around pages that use queries, because the landing page and listings do without this library. */
export const Queries = ({ children }: { children: ReactNode }) => (
  <QueryClientProvider client={queryClient()}>{children}</QueryClientProvider>
);

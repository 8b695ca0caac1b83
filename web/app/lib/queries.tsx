import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ApiError } from './api-error.ts';

const fiveMinutes = 5 * 60 * 1000;

const makeClient = () =>
  new QueryClient({
    defaultOptions: {
      queries: {
        // An answer such as 404 does not change by asking again; a lost connection or a tired server may.
        retry: (failures, error) => failures < 3 && !(error instanceof ApiError && error.status >= 400 && error.status < 500),
        retryDelay: (attempt) => Math.min(1000 * 2 ** attempt, 30_000),
        staleTime: fiveMinutes,
        gcTime: fiveMinutes,
      },
      mutations: { retry: false },
    },
  });

// One for the whole visit. On the server one would be shared by everybody: there each rendering has its own, and reads nothing.
let client: QueryClient | undefined;

const queryClient = () => (typeof document === 'undefined' ? makeClient() : (client ??= makeClient()));

/** Only around what reads with queries: the landing and the listing do without this library. */
export const Queries = ({ children }: { children: ReactNode }) => (
  <QueryClientProvider client={queryClient()}>{children}</QueryClientProvider>
);
